import { quoteText } from '../../datasets/table/ddl.ts'
import { sliceOf } from '../duckdb-store/ledger/slice-rows.ts'
import { difference, type Difference, type VerifyContext } from './verify-source.ts'

/** Kinds whose slices are stretches of one history. */
const SERIES_KINDS: readonly string[] = ['range', 'trailing', 'dated']

/**
 * Checks that slices of one run's plan do not overlap, and that no run fetches what another has settled. `coinlake
 * refetch` does so on purpose. Restored runs are left out, because they hold the answers of many plans. `coinlake gaps`
 * names stretches between slices.
 */
export async function checkSeams(context: VerifyContext): Promise<Difference[]> {
  const { source, datasets } = context
  const series = datasets.filter(({ kind }) => SERIES_KINDS.includes(kind))
  if (series.length === 0) return []
  const rows = await source.rows(
    seamsSql(
      source.ledger('_slices'),
      source.ledger('_runs'),
      series.map(({ name }) => name),
    ),
  )
  return rows.map((row) => {
    const slice = sliceOf(row)
    return difference(context, {
      check: 'seams',
      sliceId: String(row['slice_id']),
      slice,
      what: String(row['what']),
      expected: `from ${new Date(Number(row['reached_ms'])).toISOString()} on`,
      found: `from ${new Date(slice.fromMs).toISOString()} on`,
    })
  })
}

/**
 * SQL for slices that begin before the end of an earlier one of their series.
 *
 * @param slices SQL of the slices' relation
 * @param runs SQL of the runs' relation
 */
export function seamsSql(slices: string, runs: string, datasets: readonly string[]): string {
  const series = 'dataset, entity, vs_currency, granularity'
  const wanted = `dataset IN (${datasets.map(quoteText).join(', ')})`
  const reached = (group: string): string =>
    `max(end_at) OVER (PARTITION BY ${group}${series} ORDER BY from_at, end_at, slice_id
       ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)`
  return `WITH planned AS (
    SELECT run_id, slice_id, ${series}, from_at, to_at, to_at AS end_at
    FROM ${slices} WHERE ${wanted}
      AND run_id NOT IN (SELECT run_id FROM ${runs} WHERE purpose = 'restore')
  ), settled AS (
    SELECT DISTINCT ON (slice_id) slice_id, ${series}, from_at, to_at,
      CASE state WHEN 'provisional' THEN settled_to ELSE to_at END AS end_at
    FROM ${slices} s
    WHERE ${wanted} AND state IN ('loaded', 'empty', 'provisional')
      AND run_id NOT IN (SELECT run_id FROM ${runs} WHERE purpose IN ('refetch', 'restore'))
    ORDER BY slice_id, generation DESC
  ), faults AS (
    SELECT *, 'two slices of one plan overlap' AS what
    FROM (SELECT *, ${reached('run_id, ')} AS reached_at FROM planned)
    WHERE from_at < reached_at
    UNION ALL BY NAME
    SELECT *, 'two runs hold the same stretch' AS what
    FROM (SELECT *, ${reached('')} AS reached_at FROM settled WHERE from_at < end_at)
    WHERE from_at < reached_at
  )
  SELECT what, slice_id, ${series}, epoch_ms(from_at) AS from_ms, epoch_ms(to_at) AS to_ms,
    epoch_ms(reached_at) AS reached_ms FROM faults ORDER BY ALL`
}
