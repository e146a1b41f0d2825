import { column, required } from './table/column.ts'
import { factsBy } from './table/row-keys.ts'
import { singleStep } from './request/steps.ts'
import { trailingReachMs, trailingDays } from './request/trailing-days.ts'
import { GRANULARITY_MS, type Granularity } from '../api/granularity.ts'
import { CANDLE_STEPS } from '../api/step-rules.ts'
import { COIN_ID, GRANULARITY, TS, VS_CURRENCY } from './table/common-columns.ts'
import type { Column, Dataset, Slice, TableSpec } from './dataset.ts'
import { ohlcAnswer } from './ohlc/ohlc-answer.ts'
import { ohlcTables } from './ohlc/ohlc-tables.ts'

function price(name: string, description: string): Column {
  return column(name, 'double', description, 'vs_currency')
}

export const OHLC: TableSpec = {
  name: 'ohlc',
  description:
    'Open, high, low and close of a coin on a fixed grid: one row per coin, currency, granularity and candle. The source only answers for the last days (30m: 1 day, 4h: 30 days, 4d: 365 days) and gives no volume.',
  columns: [
    COIN_ID,
    VS_CURRENCY,
    GRANULARITY,
    {
      ...TS,
      description:
        'Start of the candle: close_at minus the granularity. The source itself only names the close.',
    },
    required(
      'close_at',
      'timestamp',
      "The source's own time of the candle, which is its end. A candle that had not closed when it was fetched is left out.",
    ),
    price(
      'open',
      'First price sampled in the candle. It differs from the close of the candle before, because prices are samples and not trades.',
    ),
    price('high', 'Highest price sampled in the candle; true trades may have gone higher.'),
    price('low', 'Lowest price sampled in the candle; true trades may have gone lower.'),
    price('close', 'Last price sampled in the candle.'),
    required('ts_date', 'date', 'UTC date of ts, the start of the candle.'),
  ],
  ...factsBy(['coin_id', 'vs_currency', 'granularity', 'ts']),
}

const CACHE_MS = 15 * 60_000
/** A completed day appears by 00:35 UTC. */
const CACHE_AND_LATENESS_MS = CACHE_MS + 35 * 60_000

function candleMs(granularity: Slice['granularity']): number {
  return GRANULARITY_MS[granularity as Granularity]
}

export const ohlc: Dataset = {
  name: 'ohlc',
  description: 'Candles of the last days per coin and currency.',
  pointName: 'candle',
  kind: 'trailing',
  operations: ['coins/{id}/ohlc'],
  tables: [OHLC],
  entity: 'coin',
  perCurrency: true,
  granularities: ['4h', '30m', '4d'],
  maxSliceMs: () => Infinity,
  reachMs: (granularity) => trailingReachMs(CANDLE_STEPS, granularity),
  // From a candle's start until its close, and until cached answers have expired.
  settleMs: (granularity) => candleMs(granularity) + CACHE_AND_LATENESS_MS,
  lateMs: (granularity) => candleMs(granularity) + CACHE_MS,
  cacheMs: () => CACHE_MS,
  isOfCandles: true,
  leftOut: [
    {
      path: '$[*] (close in the future)',
      reason: 'A candle that has not closed still changes; it is counted as `future`.',
    },
    { path: '$ (order)', reason: 'Candles are given back in order of time.' },
  ],
  steps: (slice, context) => {
    const { entity: id, vsCurrency: vs_currency } = slice
    const days = trailingDays(CANDLE_STEPS, slice, context)
    return [singleStep('coins/{id}/ohlc', { id, vs_currency, days })]
  },
  toTables: (body, context) => ohlcTables(OHLC, body, context),
  answers: { 'coins/{id}/ohlc': ohlcAnswer(OHLC) },
}
