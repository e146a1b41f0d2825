import type { ParamValues } from '../../api/operations/describe-operation.ts'
import type { Row, RowSelection } from '../dataset.ts'
import { csvValues } from '../request/page-window.ts'
import { QUOTE_FIELDS, quoteKey } from './quote-fields.ts'
import { roundPrice } from '../record/round-price.ts'
import { writeRecord } from '../record/write-record.ts'

/** The parameters that add a field to the answer. */
const FLAGS: Readonly<Record<string, string>> = {
  market_cap: 'include_market_cap',
  '24h_vol': 'include_24hr_vol',
  '24h_change': 'include_24hr_change',
  last_updated_at: 'include_last_updated_at',
}

/** Selects the newest quote of each entry and currency, because quotes come from requests at different times. */
export function newestQuotes(
  table: string,
  column: string,
  ids: readonly string[],
  nowMs: number,
): RowSelection {
  return {
    table,
    oneOf: { column, values: ids },
    newest: { column: 'observed_at', nowMs, per: [column, 'vs_currency'] },
    orderBy: [{ column: 'observed_at' }, { column }, { column: 'vs_currency' }],
  }
}

/** Quotes by id. A known id (`ids`) without one in the requested currencies is an empty object, as at the source. */
export function quoteBody(
  rows: readonly Row[],
  column: string,
  ids: readonly string[],
  params: ParamValues,
): Record<string, unknown> {
  const currencies = new Set(csvValues(params['vs_currencies']))
  // Members are pairs: setting a key named __proto__ would change the object itself.
  const entries = new Map<string, [string, unknown][]>(ids.map((id) => [id, []]))
  for (const row of rows) {
    const id = row[column] as string
    const members = entries.get(id) ?? []
    entries.set(id, members)
    const currency = row['vs_currency'] as string
    if (currencies.has(currency)) members.push(...quoteMembers(row, currency, params))
  }
  return Object.fromEntries(
    Array.from(entries, ([id, members]) => [id, Object.fromEntries(members)]),
  )
}

function quoteMembers(row: Row, currency: string, params: ParamValues): [string, unknown][] {
  const { _extra: extra, ...own } = row
  const members = Object.entries(writeRecord(QUOTE_FIELDS, own))
    .filter(([key]) => FLAGS[key] === undefined || params[FLAGS[key]] === 'true')
    .map(([key, value]): [string, unknown] => [
      quoteKey(currency, key),
      key === 'price' ? roundPrice(value, params) : value,
    ])
  // The fields of `extra` have the source's names.
  const rest = typeof extra === 'string' ? (JSON.parse(extra) as object) : {}
  return [...members, ...Object.entries(rest)]
}
