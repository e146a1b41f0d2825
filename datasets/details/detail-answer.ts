import type { ParamValues } from '../../api/operation.ts'
import type { Row, RowSelection } from '../dataset.ts'
import type { NestedBody } from '../record/nested-body.ts'
import { writeNested } from '../record/write-nested.ts'

/** The newest details of what is asked for, and the newest rows of its child tables. */
export function selectDetail(
  nested: NestedBody,
  equals: Readonly<Record<string, string>>,
  nowMs: number,
): RowSelection[] {
  const newest = { column: 'observed_at', nowMs }
  return [
    { table: nested.parent.name, equals, newest, orderBy: [], limit: 1 },
    ...nested.children.map(({ spec, key, label }) => ({
      table: spec.name,
      equals,
      newest,
      orderBy: [...(label === null ? [] : [{ column: label.name }]), { column: key.name }],
    })),
  ]
}

/** The body of those rows, null when there are none. */
export function detailBody(
  nested: NestedBody,
  [parents = [], ...children]: readonly Row[][],
): Record<string, unknown> | null {
  const parent = parents[0]
  if (parent === undefined) return null
  // An observation may have no rows of a table: then the newest there are those of an older one.
  const current = children
    .slice(0, nested.children.length)
    .map((rows) => rows.filter((row) => row['observed_at'] === parent['observed_at']))
  return writeNested(nested, parent, current)
}

/** Switches of the operation that are on unless they are turned off, and what they hold. */
const ON_BY_DEFAULT: Readonly<Record<string, string>> = {
  localization: 'localization',
  market_data: 'market_data',
  community_data: 'community_data',
  developer_data: 'developer_data',
}

/** Takes away what the parameters of `coins/{id}` do not ask for. */
export function applyDetailFlags(body: Record<string, unknown>, params: ParamValues): void {
  for (const [param, key] of Object.entries(ON_BY_DEFAULT)) {
    if (params[param] === 'false') delete body[key]
  }
  if (params['include_categories_details'] !== 'true') delete body['categories_details']
  const market = body['market_data']
  if (params['sparkline'] !== 'true' && typeof market === 'object' && market !== null) {
    delete (market as Record<string, unknown>)['sparkline_7d']
  }
}
