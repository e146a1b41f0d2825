import { quoteText } from '../../datasets/table/ddl.ts'
import type { Slice } from '../../datasets/dataset.ts'
import { isOfBuckets } from '../../datasets/request/buckets.ts'
import { SLICE_COLUMNS } from '../duckdb-store/ledger/slice-rows.ts'
import { difference, type Difference, type VerifyContext } from './verify-source.ts'

/**
 * Checks that slices of one run's plan do not overlap, and that no run fetches what another has settled. `coinlake
 * refetch` does so on purpose. Restored runs are left out, because they hold the answers of many plans. `coinlake gaps`
 * names stretches between slices.
 */
export async function checkSeams(context: VerifyContext): Promise<Difference[]> {
  const { source, datasets } = context
  const histories = datasets.filter((dataset) => !isOfBuckets(dataset)).map(({ name }) => name)
  const sql = seamsSql(source.ledger('_slices'), source.ledger('_runs'), histories)
  const rows = await source.rows<OverlappingSlice>(sql)
  return rows.map(({ what, sliceId, reachedMs, ...slice }) =>
    difference(context, {
      check: 'seams',
      sliceId,
      slice,
      what,
      expected: `from ${new Date(reachedMs).toISOString()} on`,
      found: `from ${new Date(slice.fromMs).toISOString()} on`,
    }),
  )
}

/** A slice that begins before `reachedMs`, where an earlier one of its series ends. */
interface OverlappingSlice extends Slice {
  what: string
  sliceId: string
  reachedMs: number
}

/** SQL for rows of the type OverlappingSlice, from the relations of slices and runs. */
function seamsSql(slices: string, runs: string, datasets: readonly string[]): string {
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
  SELECT what, slice_id AS sliceId, ${SLICE_COLUMNS}, epoch_ms(reached_at) AS reachedMs FROM faults ORDER BY ALL`
}
