import { SourceDataError } from '../api/errors.ts'
import { snapshotTable } from './table/snapshot-table.ts'
import type { Answer } from './dataset.ts'
import { bodyAround, inEnvelope, keepBeside } from './record/envelope.ts'
import { listingPage, listingTable, readLone } from './record/listing.ts'
import { amount, columnsOf, numberText, text, type RecordField } from './record/record-field.ts'
import { newestRows } from './record/newest-rows.ts'
import { snapshotDataset } from './request/snapshot-dataset.ts'
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

const GLOBAL_DEFI = snapshotTable({
  name: 'global_defi',
  description:
    'Market cap, volume and dominance of decentralized finance at one moment: one row per observation. The source gives no total value locked, lending or borrowing.',
  key: ['observed_at'],
  columns: columnsOf(DEFI_FIELDS),
})

const answer: Answer = {
  select: (_, nowMs) => [newestRows(GLOBAL_DEFI, nowMs)],
  toBody: ([rows = []]) =>
    rows[0] === undefined ? null : inEnvelope(writeRecord(DEFI_FIELDS, rows[0]), 'data'),
}

export const globalDefi = snapshotDataset({
  name: 'global_defi',
  description: 'Figures of decentralized finance, once per `every`.',
  operation: 'global/decentralized_finance_defi',
  tables: [GLOBAL_DEFI],
  toTables: (body, context) => {
    const envelope = bodyAround(body, 'data')
    const { data } = envelope
    if (data['defi_market_cap'] === undefined) {
      throw new SourceDataError('$.data.defi_market_cap is missing')
    }
    const listing = readLone(DEFI_FIELDS, data, '$.data', envelope)
    keepBeside(listing, listing.rows[0], envelope, 'data', '$')
    return listingPage(listing, [listingTable(GLOBAL_DEFI, DEFI_FIELDS, listing.rows, context)])
  },
  answer,
  parts: [{ at: '$.data', fields: DEFI_FIELDS }],
})
