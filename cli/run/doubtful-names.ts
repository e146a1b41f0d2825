import { didYouMean } from '../../config/values/did-you-mean.ts'
import { quoteText } from '../../datasets/table/ddl.ts'
import type { WantedDataset } from '../../plan/order.ts'
import type { OpenLedger } from '../ledger/open-ledger.ts'
import { counted } from '../render/quantities.ts'
import { doubtfulCoinWarnings } from './doubtful-coins.ts'

type Rows = OpenLedger['rows']

/** The most currencies that get a warning. */
const NAMED = 20

/** A warning for each coin id and each currency that was probably mistyped, as far as the warehouse's own lists tell. */
export async function doubtfulNameWarnings(
  rows: Rows,
  wanted: readonly WantedDataset[],
): Promise<string[]> {
  const coins = await doubtfulCoinWarnings(rows, wanted)
  return [...coins, ...(await doubtfulCurrencyWarnings(rows, wanted))]
}

/**
 * As for coins (doubtful-coins.ts): such a currency is neither in the table `vs_currencies` nor was anything loaded for
 * it. Without that table there are no warnings.
 */
async function doubtfulCurrencyWarnings(
  rows: Rows,
  wanted: readonly Pick<WantedDataset, 'vsCurrencies'>[],
): Promise<string[]> {
  const codes = new Set(wanted.flatMap(({ vsCurrencies }) => vsCurrencies))
  codes.delete('')
  if (codes.size === 0) return []
  const tables = await rows('SELECT table_name FROM information_schema.tables')
  const names = new Set(tables.map((row) => row['table_name']))
  if (!names.has('vs_currencies') || !names.has('_slices')) return []
  const listed = await rows(
    `SELECT currency, strftime(max(last_seen_at) OVER (), '%Y-%m-%d') AS day FROM vs_currencies`,
  )
  const loaded = await rows(
    `SELECT DISTINCT vs_currency FROM _slices WHERE state IN ('loaded', 'provisional')
       AND vs_currency IN (${[...codes].map(quoteText).join(', ')})`,
  )
  const known = new Set(listed.map((row) => String(row['currency'])))
  const had = new Set(loaded.map((row) => row['vs_currency']))
  if (known.size === 0) return []
  return [...codes]
    .filter((code) => !known.has(code.toLowerCase()) && !had.has(code))
    .toSorted()
    .slice(0, NAMED)
    .map((code) => {
      const meant = didYouMean(code, known)
      const hint = meant === null ? '' : `: did you mean \`${meant}\`?`
      const of = `the list of ${String(listed[0]?.['day'])} (${counted(known.size, 'currency', 'currencies')})`
      return `there is no currency ${JSON.stringify(code)} in ${of}${hint}`
    })
}
