/**
 * Ids that were asked for by name and were not in the answer, one row for each slice that lacks one:
 * dataset, entity, run_id, slice_id, load_id, `gone_since` (the first answer without it, since it was
 * last in one), `was_listed` (whether it ever was in one), `is_current` (it is the newest answer to it) and `is_told`: a run that has ended has said so
 * before, of this very absence. An id that comes back and goes again is gone anew.
 */
const ABSENCES = `absent AS (
  SELECT DISTINCT s.dataset, json_extract_string(q.raw, '$') AS id, s.slice_id, s.load_id
  FROM _quarantine q JOIN _slices s ON s.slice_id = q.slice_id AND s.load_id = q.load_id
  WHERE q.rule = 'not_in_answer' AND q.ended_at IS NULL
), asked AS (
  SELECT g.dataset, g.id, s.run_id, s.slice_id, s.load_id, s.fetched_at, r.started_at, r.finished_at,
    a.id IS NOT NULL AS is_absent
  FROM (SELECT DISTINCT dataset, id FROM absent) g
  JOIN _slices s ON s.dataset = g.dataset AND list_contains(string_split(s.entity, ','), g.id)
  JOIN _runs r ON r.run_id = s.run_id
  LEFT JOIN absent a ON a.dataset = g.dataset AND a.id = g.id AND a.slice_id = s.slice_id AND a.load_id = s.load_id
  WHERE s.state IN ('loaded', 'provisional', 'empty')
), spells AS (
  SELECT *, count(*) FILTER (NOT is_absent) OVER (
    PARTITION BY dataset, id ORDER BY fetched_at, load_id) AS spell,
    row_number() OVER (PARTITION BY dataset, id ORDER BY fetched_at DESC, load_id DESC) = 1 AS is_current
  FROM asked
), absences AS (
  SELECT dataset, id AS entity, run_id, slice_id, load_id, spell > 0 AS was_listed, is_current,
    min(fetched_at) OVER (PARTITION BY dataset, id, spell) AS gone_since,
    count(finished_at) OVER (PARTITION BY dataset, id, spell ORDER BY started_at, run_id
      ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW EXCLUDE GROUP) > 0 AS is_told
  FROM spells WHERE is_absent
)`

/** A WITH clause that names `absences`, and what follows it. */
export function withAbsences(sql: string): string {
  return `WITH ${ABSENCES} ${sql}`
}

/** Ids that a run did not find, by dataset: dataset, entity, since_ms, was_listed, is_told, rows. */
export const RUN_ABSENCES_SQL =
  withAbsences(`SELECT dataset, entity, epoch_ms(min(gone_since)) AS since_ms,
  bool_or(was_listed) AS was_listed, bool_and(is_told) AS is_told, count(*) AS rows
FROM absences WHERE run_id = $runId GROUP BY dataset, entity ORDER BY dataset, entity`)
