import { ABSENT_ID, withAbsences } from './absences.ts'

/**
 * Stretches that runs have asked for, rows of `_coverage` as slices: dataset, entity, vs_currency, granularity,
 * from_ms, to_ms, state. Runs over a store and over a published file alike.
 */
export const KNOWN_INTERVALS_SQL = `SELECT dataset, entity, vs_currency, granularity,
  epoch_ms(from_at) AS from_ms, epoch_ms(to_at) AS to_ms, state
FROM _coverage WHERE state <> 'unreachable' ORDER BY ALL`

/** The newest load of each slice: rows that an older one quarantined have been replaced. */
const NEWEST_LOADS = `SELECT slice_id, load_id, any_value(dataset) AS dataset, any_value(entity) AS entity,
    any_value(vs_currency) AS vs_currency, any_value(granularity) AS granularity,
    any_value(from_at) AS from_at, any_value(to_at) AS to_at FROM _slices
  WHERE state IN ('loaded', 'provisional') GROUP BY slice_id, load_id
  QUALIFY row_number() OVER (PARTITION BY slice_id ORDER BY load_id DESC) = 1`

/** Rows that were dropped from quarantine and are in no table: dataset, rows. */
export const GIVEN_UP_SQL = `SELECT q.dataset, count(*) AS rows FROM _quarantine q
JOIN (${NEWEST_LOADS}) s ON q.slice_id = s.slice_id AND q.load_id = s.load_id
WHERE q.ended_as = 'dropped' GROUP BY ALL ORDER BY ALL`

/**
 * Slices with rows in quarantine, and how many. Quarantined rows no longer count when their slice was fetched again,
 * when they were replayed or dropped, or when a run has reported their id as unlisted.
 */
export const QUARANTINED_SLICES_SQL =
  withAbsences(`SELECT s.dataset, s.entity, s.vs_currency, s.granularity,
  epoch_ms(s.from_at) AS from_ms, epoch_ms(s.to_at) AS to_ms, count(*) AS rows
FROM _quarantine q
JOIN (${NEWEST_LOADS}) s
  ON q.slice_id = s.slice_id AND q.load_id = s.load_id
WHERE q.ended_at IS NULL AND NOT (q.rule = 'not_in_answer' AND EXISTS (
  FROM absences a WHERE a.is_past AND a.slice_id = q.slice_id AND a.load_id = q.load_id
    AND a.entity = ${ABSENT_ID}))
GROUP BY ALL ORDER BY ALL`)

/** Ids that the newest answers to them lack: dataset, entity, since_ms, was_listed, is_told (by now). */
export const ABSENT_NOW_SQL =
  withAbsences(`SELECT dataset, entity, epoch_ms(gone_since) AS since_ms,
  was_listed, is_past AS is_told FROM absences WHERE is_current ORDER BY ALL`)

/**
 * The newest reading of each listing that moved while it was read, or was shorter than the source said: it may or may
 * not lack an item.
 */
export const DOUBTFUL_LISTINGS_SQL = `SELECT dataset, entity, vs_currency, granularity,
  epoch_ms(from_at) AS from_ms, epoch_ms(to_at) AS to_ms, coalesce(moved, 0) AS moved,
  coalesce(greatest(0, told_items - items), 0) AS unlisted
FROM (FROM _slices WHERE state IN ('loaded', 'provisional', 'empty') AND items IS NOT NULL
  QUALIFY row_number() OVER (PARTITION BY dataset, entity, vs_currency ORDER BY from_at DESC, load_id DESC) = 1)
WHERE moved > 0 OR told_items > items ORDER BY ALL`
