import { column } from '../../datasets/table/column.ts'
import { COIN_ID, VS_CURRENCY } from '../../datasets/table/common-columns.ts'
import type { AnalystView } from './analyst-view.ts'
import { returns } from './returns.ts'

const WINDOW_DAYS = 90
const MIN_DAYS = 20

export const correlation: AnalystView = {
  name: 'correlation',
  description: `One row per ordered pair of coins (also of a coin with itself) and currency: the correlation of their daily log returns over the last ${WINDOW_DAYS} days that the warehouse has in that currency. Only days with a return of both coins count; pairs with less than ${MIN_DAYS} such days have no row. Choose a coin_id, because all pairs of many coins are very many rows.`,
  needs: returns.needs,
  columns: [
    COIN_ID,
    { ...COIN_ID, name: 'other_coin_id', description: 'The coin it is compared with.' },
    VS_CURRENCY,
    column('from_date', 'date', 'First day that both have.'),
    column('to_date', 'date', 'Last day that both have.'),
    column('days', 'integer', 'Days with a return of both.', 'days'),
    column(
      'correlation_90d',
      'double',
      "Pearson's coefficient from -1 to 1, 1 of a coin with itself; NULL where one of them did not move.",
    ),
  ],
  sql: `SELECT a.coin_id, b.coin_id AS other_coin_id, a.vs_currency,
  min(a.close_of_date) AS from_date, max(a.close_of_date) AS to_date, count(*) AS days,
  CASE WHEN stddev_samp(a.log_return) > 0 AND stddev_samp(b.log_return) > 0
    THEN CASE WHEN a.coin_id = b.coin_id THEN 1 ELSE corr(a.log_return, b.log_return) END END AS correlation_90d
FROM main.returns AS a
JOIN main.returns AS b
  ON a.vs_currency = b.vs_currency AND a.close_of_date = b.close_of_date
JOIN (SELECT vs_currency, max(close_of_date) AS newest FROM main.returns GROUP BY vs_currency) AS last
  ON last.vs_currency = a.vs_currency
WHERE a.close_of_date > last.newest - ${WINDOW_DAYS}
  AND a.log_return IS NOT NULL AND b.log_return IS NOT NULL
GROUP BY a.coin_id, b.coin_id, a.vs_currency
HAVING count(*) >= ${MIN_DAYS}`,
}
