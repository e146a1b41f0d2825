import { listedDataset } from './record/listed-table.ts'
import { ORDINAL } from './table/common-columns.ts'
import { snapshotTable } from './table/snapshot-table.ts'
import { DERIVATIVE_TICKER_FIELDS } from './tickers/derivative-ticker-fields.ts'
import { columnsOf } from './record/record-field.ts'

const DERIVATIVE_TICKERS = snapshotTable({
  name: 'derivative_tickers',
  description:
    'Price, funding rate, open interest and volume of every futures and perpetual contract as listed at one moment: one row per place in the listing and observation. An exchange can list one symbol more than once; the listing names exchanges by display name only. derivative_exchange_tickers has more of each contract, by exchange id.',
  key: ['market_name', 'symbol', 'observed_at', 'ordinal'],
  columns: [ORDINAL, ...columnsOf(DERIVATIVE_TICKER_FIELDS)],
})

export const derivativeTickers = listedDataset(
  {
    name: 'derivative_tickers',
    description: 'Futures and perpetual contracts of all exchanges, once per `every`.',
    kind: 'snapshot',
  },
  [{ operation: 'derivatives', spec: DERIVATIVE_TICKERS, fields: DERIVATIVE_TICKER_FIELDS }],
)
