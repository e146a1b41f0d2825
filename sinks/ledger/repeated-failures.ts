import type { Slice } from '../../datasets/dataset.ts'

/** After this many windows with the same failure a slice is requested once a day. */
const FAILED_WINDOWS = 3

/** Code of a slice that a window skipped. No call was made, so this is no failure. */
export const NOT_ASKED_AGAIN = 'NOT_ASKED_AGAIN'

/** A stretch of a series from `fromMs` on that failed in its last runs with one code. */
export interface RepeatedFailure extends Slice {
  code: string
  /** Time of the last request for the stretch. */
  askedAtMs: number
}

const STRETCH = 'dataset, entity, vs_currency, granularity, from_at'

/**
 * Stretches that failed with the same code in their last three runs. A failure counts only if its run loaded another
 * slice of the dataset; otherwise the source was down. The end of a stretch moves on with each window, so the
 * start identifies the stretch. Ids that the source does not know are left out: the plan decides about them. Rows of the type
 * RepeatedFailure.
 */
export const REPEATED_FAILURES_SQL = `WITH failing AS (
  SELECT ${STRETCH} FROM _slices WHERE state = 'failed' AND code <> '${NOT_ASKED_AGAIN}'
  GROUP BY ALL HAVING count(*) >= ${FAILED_WINDOWS}
), answered AS (
  SELECT DISTINCT dataset, run_id FROM _slices WHERE state IN ('loaded', 'provisional', 'empty')
), tried AS (
  SELECT *, row_number() OVER (PARTITION BY ${STRETCH} ORDER BY updated_at DESC, run_id DESC) AS age
  FROM _slices SEMI JOIN failing USING (${STRETCH}) SEMI JOIN answered USING (dataset, run_id)
  WHERE state <> 'planned' AND code IS DISTINCT FROM '${NOT_ASKED_AGAIN}'
)
SELECT dataset, entity, vs_currency AS vsCurrency, granularity, epoch_ms(from_at) AS fromMs,
  epoch_ms(max(to_at)) AS toMs, any_value(code) AS code, epoch_ms(max(updated_at)) AS askedAtMs
FROM tried WHERE age <= ${FAILED_WINDOWS} GROUP BY ${STRETCH}
HAVING count(*) = ${FAILED_WINDOWS} AND bool_and(state = 'failed') AND count(DISTINCT code) = 1
  AND any_value(code) <> 'SOURCE_NOT_FOUND'
ORDER BY ALL`
