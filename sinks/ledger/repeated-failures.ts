import type { Row, Slice } from '../../datasets/dataset.ts'
import { sliceOf } from '../duckdb-store/ledger/slice-rows.ts'

/** Windows that a slice fails in before it is asked for once a day. */
const SAME_WAY = 3

/** Code of a slice that a window has not asked for: no call was made, so it counts as no failure here. */
export const NOT_ASKED_AGAIN = 'NOT_ASKED_AGAIN'

/** A stretch of a series that begins at `fromMs` and failed in its last runs with one code. */
export interface RepeatedFailure extends Slice {
  code: string
  /** When it was asked for last. */
  askedAtMs: number
}

const STRETCH = 'dataset, entity, vs_currency, granularity, from_at'

/**
 * Stretches whose last three answers were one and the same failure. A failure counts where another slice
 * of the dataset came in with its run: where nothing comes in, the source is down, and not they are broken.
 * A stretch is known by its start, as the end of a series moves on with each window. An id that the source
 * does not know is none of them: the plan says when it is asked for.
 */
export const REPEATED_FAILURES_SQL = `WITH failing AS (
  SELECT ${STRETCH} FROM _slices WHERE state = 'failed' AND code <> '${NOT_ASKED_AGAIN}'
  GROUP BY ALL HAVING count(*) >= ${SAME_WAY}
), answered AS (
  SELECT DISTINCT dataset, run_id FROM _slices WHERE state IN ('loaded', 'provisional', 'empty')
), tried AS (
  SELECT *, row_number() OVER (PARTITION BY ${STRETCH} ORDER BY updated_at DESC, run_id DESC) AS age
  FROM _slices SEMI JOIN failing USING (${STRETCH}) SEMI JOIN answered USING (dataset, run_id)
  WHERE state <> 'planned' AND code IS DISTINCT FROM '${NOT_ASKED_AGAIN}'
)
SELECT dataset, entity, vs_currency, granularity, epoch_ms(from_at) AS from_ms,
  epoch_ms(max(to_at)) AS to_ms, any_value(code) AS code, epoch_ms(max(updated_at)) AS asked_ms
FROM tried WHERE age <= ${SAME_WAY} GROUP BY ${STRETCH}
HAVING count(*) = ${SAME_WAY} AND bool_and(state = 'failed') AND count(DISTINCT code) = 1
  AND any_value(code) <> 'SOURCE_NOT_FOUND'
ORDER BY ALL`

export function repeatedFailureOf(row: Row): RepeatedFailure {
  return {
    ...sliceOf(row),
    code: String(row['code']),
    askedAtMs: Number(row['asked_ms']),
  }
}
