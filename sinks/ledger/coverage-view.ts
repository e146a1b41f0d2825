import { column } from '../../datasets/table/column.ts'

/** The states of an interval, best first. Reasons of `unreachable` count as states until the last SELECT. */
const REASONS = ['plan_limit', 'source_reach', 'unknown_at_source']
const STATES = ['verified', 'empty', 'provisional', ...REASONS, 'failed']
const UNREACHABLE = `(${REASONS.map((reason) => `'${reason}'`).join(', ')})`

const SERIES = 'dataset, entity, vs_currency, granularity'
/**
 * Slices are grouped by a hash, because a year of entities of a hundred ids outgrows the memory of DuckDB. The dataset
 * stays beside the hash, so that a filter on it leaves other slices unread.
 */
export const SERIES_ID_COLUMNS = `dataset, hash(${SERIES}) AS series_id`

/**
 * The best state wins, and neighbours of one state are one row. The view counts the open slices of each state at each
 * bound, without a join of intervals. Where one slice ends and the next begins, nothing changes, so few bounds are
 * sorted. A gap in the points of a slice counts as `empty`, unless another slice verified that stretch.
 */
export const coverageView = {
  name: '_coverage',
  description: 'Coverage: what is known of each series, as intervals that do not overlap.',
  columns: [
    column('dataset', 'string', 'Dataset of the series.'),
    column('entity', 'string', 'Coin, exchange or csv of coins; empty when there is none.'),
    column('vs_currency', 'string', 'Quote currency or csv of them; empty when there is none.'),
    column(
      'granularity',
      'string',
      'Granularity; of a snapshot how often it is taken; empty when there is none.',
    ),
    column('from_at', 'timestamp', 'Start of the interval, inclusive.'),
    column('to_at', 'timestamp', 'End of the interval, exclusive.'),
    column(
      'state',
      'string',
      'verified (final), empty (the source has nothing, or nothing for more than 24 steps), provisional (may still change), unreachable (cannot be had) or failed (asked for and not got).',
    ),
    column(
      'reason',
      'string',
      "Why it is unreachable: source_reach (the source does not answer that far back), plan_limit (the key's plan does not reach that far back) or unknown_at_source (the source does not know the id); null in other states.",
    ),
  ],
  /** The SELECT, with table names as in analyst views (analyst-view.ts). */
  sql: `WITH asked AS (
  SELECT ${SERIES_ID_COLUMNS}, from_at, CASE WHEN state = 'provisional' THEN settled_to ELSE to_at END AS to_at,
    CASE WHEN state IN ('empty', 'failed') THEN state
      WHEN state = 'provisional' AND row_count + quarantined = 0 THEN 'empty' ELSE 'verified' END AS state
  FROM main._slices WHERE state IN ('loaded', 'provisional', 'empty', 'failed')
  UNION ALL
  SELECT ${SERIES_ID_COLUMNS}, settled_to, to_at, 'provisional' FROM main._slices WHERE state = 'provisional'
  UNION ALL
  SELECT ${SERIES_ID_COLUMNS}, from_at, to_at, reason FROM main._unreachable
), gaps AS (
  SELECT dataset, series_id, split_part(gap, '/', 1)::TIMESTAMPTZ AS from_at, split_part(gap, '/', 2)::TIMESTAMPTZ AS to_at
  FROM (SELECT ${SERIES_ID_COLUMNS}, unnest(string_split(gaps, ' ')) AS gap FROM main._slices
    WHERE gaps IS NOT NULL AND state IN ('loaded', 'provisional'))
), bounds AS (
  SELECT dataset, series_id, state, bound_at, sum(step) AS step FROM (
    SELECT dataset, series_id, state, unnest([from_at, to_at]) AS bound_at, unnest([1, -1]) AS step
    FROM asked WHERE from_at < to_at
    UNION ALL
    SELECT dataset, series_id, unnest(['verified', 'verified', 'empty', 'empty']),
      unnest([from_at, to_at, from_at, to_at]), unnest([-1, 1, 1, -1]) FROM gaps
  ) GROUP BY ALL HAVING sum(step) <> 0
), steps AS (
  SELECT dataset, series_id, bound_at,
    ${STATES.map((state) => `sum(step) FILTER (state = '${state}') AS ${state}`).join(', ')}
  FROM bounds GROUP BY ALL
), open_counts AS (
  SELECT dataset, series_id, bound_at, lead(bound_at) OVER series AS next_at,
    ${STATES.map((state) => `sum(${state}) OVER series AS ${state}`).join(', ')}
  FROM steps WINDOW series AS (PARTITION BY dataset, series_id ORDER BY bound_at)
), pieces AS (
  SELECT dataset, series_id, bound_at, next_at,
    CASE ${STATES.map((state) => `WHEN ${state} > 0 THEN '${state}'`).join(' ')} END AS state
  FROM open_counts WHERE next_at IS NOT NULL
), runs AS (
  SELECT *, count(*) FILTER (starts) OVER (PARTITION BY dataset, series_id ORDER BY bound_at) AS run FROM (
    SELECT *, state IS DISTINCT FROM lag(state) OVER (PARTITION BY dataset, series_id ORDER BY bound_at) AS starts
    FROM pieces
  )
), stretches AS (
  SELECT dataset, series_id, min(bound_at) AS from_at, max(next_at) AS to_at, any_value(state) AS state
  FROM runs WHERE state IS NOT NULL GROUP BY dataset, series_id, run
), series AS (
  SELECT DISTINCT entity, vs_currency, granularity, ${SERIES_ID_COLUMNS} FROM main._slices
  UNION SELECT entity, vs_currency, granularity, ${SERIES_ID_COLUMNS} FROM main._unreachable
)
SELECT ${SERIES}, from_at, to_at,
  CASE WHEN state IN ${UNREACHABLE} THEN 'unreachable' ELSE state END AS state,
  CASE WHEN state IN ${UNREACHABLE} THEN state END AS reason
FROM stretches JOIN series USING (dataset, series_id) ORDER BY ${SERIES}, from_at`,
}
