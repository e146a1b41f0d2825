import { snapshotBy } from './table/row-keys.ts'
import { singleStep } from './request/single-step.ts'
import { SourceDataError } from '../api/errors.ts'
import { ABSENT, EXTRA, OBSERVED_AT, OBSERVED_DATE } from './table/common-columns.ts'
import type { Answer, Dataset, TableSpec } from './dataset.ts'
import { inEnvelope, keepBeside } from './record/envelope.ts'
import { listingPage, listingTable, observedIn, readListing } from './record/listing.ts'
import { isObject } from './record/read-record.ts'
import { amount, columnsOf, numberText, text, type RecordField } from './record/record-field.ts'
import { WITHOUT_SERIES } from './request/without-series.ts'
import { writeRecord } from './record/write-record.ts'

const DEFI_FIELDS: readonly RecordField[] = [
  numberText('defi_market_cap', 'USD', 'Market cap of the coins of decentralized finance.'),
  numberText('eth_market_cap', 'USD', 'Market cap of Ether, to compare with.'),
  numberText(
    'defi_to_eth_ratio',
    'percent',
    'Market cap of decentralized finance in percent of that of Ether.',
  ),
  numberText(
    'trading_volume_24h',
    'USD',
    'Volume of the coins of decentralized finance in the last 24 hours: a rolling figure.',
  ),
  numberText(
    'defi_dominance',
    'percent',
    'Share of decentralized finance in the whole market cap; 3.5 = 3.5 %.',
  ),
  text('top_coin_name', 'Display name of the largest coin of decentralized finance; no coin id.'),
  amount(
    'top_coin_defi_dominance',
    'percent',
    'Share of top_coin_name in the market cap of decentralized finance; 19.8 = 19.8 %.',
  ),
]

export const GLOBAL_DEFI: TableSpec = {
  name: 'global_defi',
  description:
    'Market cap, volume and dominance of decentralized finance at one moment: one row per observation. The source gives no total value locked, lending or borrowing.',
  columns: [OBSERVED_AT, OBSERVED_DATE, ...columnsOf(DEFI_FIELDS), ABSENT, EXTRA],
  ...snapshotBy(['observed_at']),
}

const answer: Answer = {
  select: (_, nowMs) => [
    { table: GLOBAL_DEFI.name, newest: { column: 'observed_at', nowMs }, orderBy: [] },
  ],
  toBody: ([rows = []]) =>
    rows[0] === undefined ? null : inEnvelope(writeRecord(DEFI_FIELDS, rows[0]), 'data'),
}

export const globalDefi: Dataset = {
  name: 'global_defi',
  description: 'Figures of decentralized finance, once per `every`.',
  kind: 'snapshot',
  operations: ['global/decentralized_finance_defi'],
  tables: [GLOBAL_DEFI],
  entity: null,
  ...WITHOUT_SERIES,
  steps: () => [singleStep('global/decentralized_finance_defi')],
  toTables: (body, context) => {
    if (!isObject(body) || !isObject(body['data'])) throw new SourceDataError('$.data is no object')
    const { data } = body
    if (data['defi_market_cap'] === undefined) {
      throw new SourceDataError('$.data.defi_market_cap is missing')
    }
    const listing = readListing(DEFI_FIELDS, [{ at: '', source: data }], '$.data', [])
    const beside = keepBeside(listing.rows[0], body, 'data', '$')
    const table = listingTable(GLOBAL_DEFI, DEFI_FIELDS, listing.rows, {
      ...observedIn(context),
    })
    const page = listingPage(listing, [table])
    Object.assign(page.unknownPaths, beside)
    return page
  },
  answers: { 'global/decentralized_finance_defi': answer },
  bodies: { 'global/decentralized_finance_defi': [{ at: '$.data', fields: DEFI_FIELDS }] },
}
