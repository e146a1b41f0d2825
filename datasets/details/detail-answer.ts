import { isRecord } from '../../config/values/is-record.ts'
import type { ParamValues } from '../../api/operations/describe-operation.ts'
import type { Row, RowSelection } from '../dataset.ts'
import type { NestedBody } from '../record/nested-body.ts'
import { newestRows, ofObservation } from '../record/newest-rows.ts'
import { writeNested } from '../record/write-nested.ts'

/** Selects the newest row that matches `equals`, and the newest matching rows of its child tables. */
export function selectDetail(
  nested: NestedBody,
  equals: Readonly<Record<string, string>>,
  nowMs: number,
): RowSelection[] {
  return [
    newestRows(nested.parent, nowMs, { equals, limit: 1 }),
    ...nested.children.map(({ spec, key, label }) => {
      const sortedBy = label === undefined ? [key] : [label, key]
      const orderBy = sortedBy.map(({ name }) => ({ column: name }))
      return newestRows(spec, nowMs, { equals, orderBy })
    }),
  ]
}

/** The body made of the rows of `selectDetail`; null: there are none. */
export function detailBody(
  nested: NestedBody,
  [parents = [], ...children]: readonly Row[][],
): Record<string, unknown> | null {
  const parent = parents[0]
  if (parent === undefined) return null
  const current = children.map((rows) => ofObservation(rows, parent))
  return writeNested(nested, parent, current)
}

/** Keys that a parameter of the same name turns off. */
const ON_BY_DEFAULT = ['localization', 'market_data', 'community_data', 'developer_data']

/** Removes the keys that the parameters of `coins/{id}` turn off or do not ask for. English descriptions stay. */
export function applyDetailFlags(body: Record<string, unknown>, params: ParamValues): void {
  for (const key of ON_BY_DEFAULT) if (params[key] === 'false') delete body[key]
  if (params['include_categories_details'] !== 'true') delete body['categories_details']
  const { description } = body
  if (params['localization'] === 'false' && isRecord(description)) {
    const english = Object.entries(description).filter(([language]) => language === 'en')
    body['description'] = Object.fromEntries(english)
  }
  const market = body['market_data']
  if (params['sparkline'] !== 'true' && typeof market === 'object' && market !== null) {
    delete (market as Record<string, unknown>)['sparkline_7d']
  }
}
