import { SLICE_COLUMNS } from '../duckdb-store/ledger/slice-rows.ts'
import type { AbsentEntity } from '../store-records.ts'
import { ABSENT_ID, withAbsences } from './absences.ts'

/** Requested stretches: rows of the type KnownInterval. All queries here work on a store and on a published file. */
export const KNOWN_INTERVALS_SQL = `SELECT ${SLICE_COLUMNS}, state
FROM _coverage WHERE state <> 'unreachable' ORDER BY ALL`

/** The newest load of each slice with quarantined rows. Its rows have replaced those that older loads quarantined. */
const NEWEST_LOADS = `SELECT slice_id, load_id, any_value(dataset) AS dataset, any_value(entity) AS entity,
    any_value(vs_currency) AS vs_currency, any_value(granularity) AS granularity,
    any_value(from_at) AS from_at, any_value(to_at) AS to_at FROM _slices
  WHERE state IN ('loaded', 'provisional') AND slice_id IN (SELECT slice_id FROM _quarantine)
  GROUP BY slice_id, load_id
  QUALIFY row_number() OVER (PARTITION BY slice_id ORDER BY load_id DESC) = 1`

/** Rows that were dropped from quarantine and are in no table: dataset, rows. */
export const DROPPED_ROWS_SQL = `SELECT q.dataset, count(*) AS rows FROM _quarantine q
JOIN (${NEWEST_LOADS}) s ON q.slice_id = s.slice_id AND q.load_id = s.load_id
WHERE q.ended_as = 'dropped' GROUP BY ALL ORDER BY ALL`

/**
 * Slices with rows in quarantine, and their number. A row counts until it is ended, or until a run reports its id as
 * unlisted.
 */
export const QUARANTINED_SLICES_SQL =
  withAbsences(`SELECT s.dataset, s.entity, s.vs_currency AS vsCurrency, s.granularity,
  epoch_ms(s.from_at) AS fromMs, epoch_ms(s.to_at) AS toMs, count(*) AS rows
FROM _quarantine q
JOIN (${NEWEST_LOADS}) s
  ON q.slice_id = s.slice_id AND q.load_id = s.load_id
WHERE q.ended_at IS NULL AND NOT (q.rule = 'not_in_answer' AND EXISTS (
  FROM absences a WHERE a.is_past AND a.slice_id = q.slice_id AND a.load_id = q.load_id
    AND a.entity = ${ABSENT_ID}))
GROUP BY ALL ORDER BY ALL`)

/** An id that its newest answers lack. `isTold`: by any ended run. Rows of ABSENT_NOW_SQL. */
export type AbsentNow = Omit<AbsentEntity, 'rows' | 'slices'>

export const ABSENT_NOW_SQL =
  withAbsences(`SELECT dataset, entity, epoch_ms(gone_since) AS goneSinceMs,
  was_listed AS wasListed, is_past AS isTold FROM absences WHERE is_current ORDER BY ALL`)

/** The newest answer of each listing that moved during the reading, or was shorter than the source said. */
export const DOUBTFUL_LISTINGS_SQL = `SELECT ${SLICE_COLUMNS}, coalesce(moved, 0) AS moved,
  coalesce(greatest(0, told_items - items), 0) AS unlisted
FROM (FROM _slices WHERE state IN ('loaded', 'provisional', 'empty') AND items IS NOT NULL
  QUALIFY row_number() OVER (PARTITION BY dataset, entity, vs_currency ORDER BY from_at DESC, load_id DESC) = 1)
WHERE moved > 0 OR told_items > items ORDER BY ALL`
