import { column } from '../../datasets/table/column.ts'
import { coverageView } from '../ledger/coverage-view.ts'
import type { AnalystView } from './analyst-view.ts'

export const coverage: AnalystView = {
  name: 'coverage',
  description:
    'The requests of the source and their outcome: one row per series and interval, with its state and length, and the reason of an unreachable one. An interval that is not here was never requested.',
  needs: [coverageView.name],
  columns: [...coverageView.columns, column('days', 'double', 'Length of the interval.', 'days')],
  sql: `SELECT dataset, entity, vs_currency, granularity, from_at, to_at, state, reason,
  (epoch_us(to_at) - epoch_us(from_at)) / 86400000000 AS days
FROM main._coverage`,
}
