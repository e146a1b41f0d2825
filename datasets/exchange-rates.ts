import { required } from './table/column.ts'
import { ORDINAL } from './table/common-columns.ts'
import { snapshotTable } from './table/snapshot-table.ts'
import type { Answer } from './dataset.ts'
import { bodyAround, keepBeside, splitBeside } from './record/envelope.ts'
import { reject } from './record/rejected-rows.ts'
import { type Listing, listingPage, listingTable, readListing } from './record/listing.ts'
import { amount, columnsOf, text, type RecordField } from './record/record-field.ts'
import { newestRows } from './record/newest-rows.ts'
import { snapshotDataset } from './request/snapshot-dataset.ts'
import { writeRecord } from './record/write-record.ts'

const RATE_FIELDS: readonly RecordField[] = [
  text('name', 'Name of the currency in English.'),
  text('unit', 'Sign of the currency; often not ASCII.'),
  amount(
    'value',
    'units of currency per BTC',
    'Price of one BTC in this currency; 1 for btc itself. Divide two values of one observation for a cross rate. The source sends nonsense for some currencies (vef).',
  ),
  text('type', 'Class of the currency: crypto, fiat or commodity.'),
]

const EXCHANGE_RATES = snapshotTable({
  name: 'exchange_rates',
  description:
    'Price of one BTC in every known currency at one moment: one row per currency and observation. The table has no past before the first sync; for older dates read a coin in that currency.',
  key: ['currency', 'observed_at'],
  columns: [
    required(
      'currency',
      'string',
      'Currency code, lower case. Not the same set as the currencies in which coins are quoted.',
    ),
    ORDINAL,
    ...columnsOf(RATE_FIELDS),
  ],
})

const answer: Answer = {
  select: (_, nowMs) => [newestRows(EXCHANGE_RATES, nowMs)],
  toBody: ([rows = []]) => {
    const read = rows.map((row) => splitBeside(writeRecord(RATE_FIELDS, row)))
    const rates = Object.fromEntries(read.map(({ own }, i) => [rows[i]!['currency'], own]))
    // Only the first row has the keys beside `rates`.
    return { ...read[0]?.beside, rates }
  },
}

export const exchangeRates = snapshotDataset({
  name: 'exchange_rates',
  description: 'BTC against fiat, crypto and commodity currencies, once per `every`.',
  operation: 'exchange_rates',
  tables: [EXCHANGE_RATES],
  toTables: (body, context) => {
    const envelope = bodyAround(body, 'rates')
    const rates = Object.entries(envelope.rates)
    const items = rates.map(([currency, source]) => ({ at: `.${currency}`, source }))
    const listing = readListing(RATE_FIELDS, items, '$.rates', [])
    rejectBrokenCodes(listing, rates)
    keepBeside(listing, listing.rows[0], envelope, 'rates', '$')
    const table = listingTable(EXCHANGE_RATES, RATE_FIELDS, listing.rows, context, {
      currency: listing.rows.map((row) => rates[row.index]![0]),
    })
    return listingPage(listing, [table])
  },
  answer,
  parts: [{ at: '$.rates.*', fields: RATE_FIELDS }],
})

/** Sends rates whose code UTF-8 cannot hold to quarantine, because the code is their key. */
function rejectBrokenCodes(listing: Listing, rates: readonly [string, unknown][]): void {
  listing.rows = listing.rows.filter((row) => {
    const [currency, source] = rates[row.index]!
    if (currency.isWellFormed()) return true
    const path = `$.rates.${currency.toWellFormed()}`
    reject(listing.rejected, 'not_a_text', path, { [currency]: source })
    return false
  })
}
