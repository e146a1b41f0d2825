import { alignColumns } from '../render/align-columns.ts'
import { count } from '../render/quantities.ts'
import { utcMinute } from '../render/utc-minute.ts'
import type { Relation } from './relations.ts'

/** Tables, then views, as people read them. */
export function relationsText(found: readonly Relation[]): string[] {
  const moment = (iso: string | null): string => (iso === null ? '' : utcMinute(iso))
  const tables = found.filter(({ kind }) => kind === 'table')
  const views = found.filter(({ kind }) => kind === 'view')
  return [
    ...alignColumns(
      ['table', 'rows', 'from', 'to', 'a row for each'],
      tables.map(({ name, rows, from, to, key }) => {
        return [name, count(rows ?? 0), moment(from), moment(to), key.join(', ')]
      }),
      [1],
    ),
    ...(views.length === 0 ? [] : ['']),
    ...alignColumns(
      ['view', ''],
      views.map(({ name, description }) => [name, firstSentence(description)]),
    ).slice(views.length === 0 ? 1 : 0),
    '',
    '`coinlake datasets NAME` says what the columns mean; beside them stands the ledger: `_slices`, `_requests`, `_loads` and others',
  ]
}

function firstSentence(text: string): string {
  return /^.*?[.:;](?=\s|$)/.exec(text)?.[0].slice(0, -1) ?? text
}
