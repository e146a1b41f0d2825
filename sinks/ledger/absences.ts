import type { UnknownEntity } from '../../plan/unknown-ids.ts'
import type { LedgerContext } from '../duckdb-store/store-context.ts'
import type { AbsentEntity } from '../store-records.ts'
import { quoteText } from '../../datasets/table/ddl.ts'

/**
 * The id of a quarantine row `q` of the rule `not_in_answer`. Under other rules `raw` is text of the source. Half a
 * surrogate pair there would make DuckDB fail the whole query.
 */
export const ABSENT_ID = `CASE WHEN q.rule = 'not_in_answer' THEN json_extract_string(q.raw, '$') END`

/**
 * Ids that were requested by name, and that the source does not know. One row per slice that lacks one: dataset,
 * entity, run_id, slice_id, load_id and
 * - `gone_since`, `was_listed`: as in AbsentEntity
 * - `is_refused`: the id was requested alone, and the slice failed; else its rows are in quarantine
 * - `is_current`: this is the newest answer to the id
 * - `is_reported`: an earlier run that has ended has reported this absence
 * - `is_past`: a run that lacked the id has ended.
 *
 * The asked slices are found by a hash of their ids (see SERIES_ID_COLUMNS). Window functions read only slices that lack an id,
 * because a year of answers has hundreds of thousands that have it.
 *
 * An id that comes back and goes again is a new absence. Of two answers of one moment, the one that has the id counts. A
 * refusal counts only if its run has no answer for the id, and a run of this absence has one for another id. An id that an
 * answer lacks counts only if a run of this absence got rows for other ids. If the source knows no id at all, that stays a
 * failure.
 */
const ABSENCES = `absent AS (
  SELECT DISTINCT s.dataset, ${ABSENT_ID} AS id, s.run_id, s.ordinal
  FROM _quarantine q JOIN _slices s ON s.slice_id = q.slice_id AND s.load_id = q.load_id
  WHERE q.rule = 'not_in_answer' AND q.ended_at IS NULL
  UNION ALL
  SELECT dataset, entity, run_id, ordinal FROM _slices
  WHERE state = 'failed' AND code = 'SOURCE_NOT_FOUND' AND entity <> ''
), entities AS (
  SELECT DISTINCT entity_hash, id FROM (
    SELECT dataset, hash(dataset, entity) AS entity_hash, unnest(string_split(entity, ',')) AS id
    FROM (SELECT DISTINCT dataset, entity FROM _slices SEMI JOIN absent USING (dataset)))
  SEMI JOIN absent USING (dataset, id)
), asked AS (
  SELECT s.dataset, e.id, s.run_id, s.slice_id, s.load_id, s.state = 'failed' AS is_refused,
    coalesce(s.fetched_at, s.updated_at) AS asked_at, r.started_at, r.finished_at,
    ROW(asked_at, r.started_at, s.load_id) AS moment, a.id IS NOT NULL AS is_absent
  FROM _slices s JOIN entities e ON e.entity_hash = hash(s.dataset, s.entity)
  JOIN _runs r ON r.run_id = s.run_id
  LEFT JOIN absent a
    ON a.dataset = s.dataset AND a.id = e.id AND a.run_id = s.run_id AND a.ordinal = s.ordinal
  WHERE s.state IN ('loaded', 'provisional', 'empty') OR a.id IS NOT NULL
), listed AS (
  SELECT dataset, id, run_id, moment FROM asked WHERE NOT is_absent
), spells AS (
  SELECT s.*, l.moment AS listed_at, n.moment IS NULL OR s.moment > n.moment AS is_after_listed,
    k.id IS NOT NULL AS is_known
  FROM (FROM asked WHERE is_absent) s
  ASOF LEFT JOIN listed l ON l.dataset = s.dataset AND l.id = s.id AND l.moment <= s.moment
  LEFT JOIN (SELECT dataset, id, max(moment) AS moment FROM listed GROUP BY ALL) n
    ON n.dataset = s.dataset AND n.id = s.id
  LEFT JOIN (SELECT DISTINCT dataset, id, run_id FROM listed SEMI JOIN absent USING (dataset, id, run_id)) k
    ON k.dataset = s.dataset AND k.id = s.id AND k.run_id = s.run_id
), missed AS (
  SELECT s.*, bool_or(a.run_id IS NOT NULL) OVER spell AS was_answered_else,
    bool_or(coalesce(a.has_rows, false)) OVER spell AS was_known_else,
    is_after_listed AND row_number() OVER (PARTITION BY dataset, id ORDER BY moment DESC) = 1 AS is_current
  FROM spells s LEFT JOIN (SELECT dataset, run_id, sum(row_count) > 0 AS has_rows FROM _slices
    WHERE state IN ('loaded', 'provisional', 'empty') AND entity <> '' GROUP BY ALL) a USING (dataset, run_id)
  WINDOW spell AS (PARTITION BY dataset, id, listed_at)
), absences AS (
  SELECT dataset, id AS entity, run_id, slice_id, load_id, listed_at IS NOT NULL AS was_listed, is_refused, is_current,
    asked_at, min(asked_at) OVER spell AS gone_since,
    count(finished_at) OVER (spell ORDER BY started_at, run_id
      ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW EXCLUDE GROUP) > 0 AS is_reported,
    count(finished_at) OVER spell > 0 AS is_past
  FROM missed WHERE CASE WHEN is_refused THEN was_answered_else AND NOT is_known ELSE was_known_else END
  WINDOW spell AS (PARTITION BY dataset, id, listed_at)
)`

export function withAbsences(sql: string): string {
  return `WITH ${ABSENCES} ${sql}`
}

/** Ids that the run asked for by name, and that the answers lacked, by dataset. */
export async function absences({ reader }: LedgerContext, runId: string): Promise<AbsentEntity[]> {
  return await reader.rows<AbsentEntity>(
    withAbsences(`SELECT dataset, entity, epoch_ms(min(gone_since)) AS goneSinceMs,
  bool_or(was_listed) AS wasListed, bool_and(is_reported) AS isTold,
  count(*) FILTER (NOT is_refused) AS rows, count(*) FILTER (is_refused) AS slices
FROM absences WHERE run_id = ${quoteText(runId)} GROUP BY dataset, entity ORDER BY dataset, entity`),
  )
}

/** Ids that the source does not know, as ended runs or the run `runId` found; null: ended runs only. */
export async function unknownEntities(
  { reader }: LedgerContext,
  runId: string | null,
): Promise<UnknownEntity[]> {
  const isOfRun = runId === null ? '' : `OR run_id = ${quoteText(runId)}`
  return await reader.rows<UnknownEntity>(
    withAbsences(`SELECT dataset, entity, epoch_ms(asked_at) AS askedAtMs,
  CASE WHEN was_listed THEN epoch_ms(gone_since) END AS goneSinceMs
FROM absences WHERE is_current AND (is_past ${isOfRun}) ORDER BY ALL`),
  )
}
