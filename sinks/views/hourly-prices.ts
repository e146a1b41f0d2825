import { column } from '../../datasets/table/column.ts'
import { COIN_ID, VS_CURRENCY } from '../../datasets/table/common-columns.ts'
import type { AnalystView } from './analyst-view.ts'
import { IS_PROVISIONAL, PRICE_COLUMNS, PRICE_EXPRESSIONS } from './price-columns.ts'

/** One row per coin, currency and UTC hour, by which coins can be joined. */
export const hourlyPrices: AnalystView = {
  name: 'hourly_prices',
  description:
    'One row per coin, currency and UTC hour: the last hourly point of that hour. A row appears as soon as the source has the point, with is_provisional while it may still change. Join coins on bucket_at, not on as_of, because points jitter by minutes. An hour without a point has no row. The last point of an answer, which has the time of the answer (is_moving), is left out.',
  needs: ['market_chart'],
  columns: [
    COIN_ID,
    VS_CURRENCY,
    column('bucket_at', 'timestamp', 'Start of the hour; the same instant for every coin.'),
    column(
      'bucket_date',
      'date',
      'UTC day of bucket_at, which the daily views call close_of_date.',
    ),
    column('as_of', 'timestamp', 'Exact time of the point that was chosen.'),
    ...PRICE_COLUMNS,
    IS_PROVISIONAL,
  ],
  sql: `SELECT coin_id, vs_currency, bucket_at, bucket_date, ts AS as_of, ${PRICE_EXPRESSIONS}, is_provisional
FROM main.market_chart
WHERE granularity = '1h' AND NOT is_moving
QUALIFY row_number() OVER (
  PARTITION BY coin_id, vs_currency, bucket_at, bucket_date ORDER BY ts DESC) = 1`,
}
