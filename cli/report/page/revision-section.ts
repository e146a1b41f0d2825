import { html } from 'hono/html'
import { count, counted } from '../../render/quantities.ts'
import type { RevisionFacts } from '../facts/revision-facts.ts'
import { cut, folded, minuteText, quiet, section, tableHtml, type Html } from './texts.ts'

const MAX_VALUE_CHARS = 60

export function revisionSection({ rows, byTable, newest }: RevisionFacts): Html {
  if (rows === 0) {
    return section('revisions', 'Revisions', quiet('No value has changed since it was final.'))
  }
  const tables = byTable.map((one) => [one.table, count(one.rows), minuteText(one.newest)])
  const details = newest.flatMap((one) =>
    Object.entries(one.changed).map(([column, { before, after }]) => [
      one.table,
      Object.values(one.key).map(String).join(' '),
      column,
      valueText(before),
      valueText(after),
      minuteText(one.replacedAt),
    ]),
  )
  return section('revisions', 'Revisions', [
    html`<p>
      The source changed <b>${counted(rows, 'row')}</b> that were final. Both values are kept.
    </p>`,
    tableHtml(['table', 'rows', 'newest'], tables, [1]),
    folded(
      `The newest ${count(newest.length)}`,
      tableHtml(['table', 'row', 'column', 'before', 'after', 'replaced'], details, [3, 4]),
    ),
  ])
}

function valueText(value: unknown): string {
  return cut(typeof value === 'string' ? value : JSON.stringify(value), MAX_VALUE_CHARS)
}
