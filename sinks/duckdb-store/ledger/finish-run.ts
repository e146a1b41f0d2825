import { requestsTable } from '../../ledger/run-tables.ts'
import type {
  AbsentEntity,
  DatasetTotals,
  FailedSlice,
  LostRequest,
  UnfinishedRun,
} from '../../store-records.ts'
import { appendRecords } from './append-records.ts'
import { instant } from '../session.ts'
import { SLICE_COLUMNS } from './slice-rows.ts'
import type { StoreContext } from '../store-context.ts'

/**
 * Records requests that no load will record. A recorded request stays as it is.
 *
 * @param runId of the requests that name no run
 */
export async function recordRequests(
  { writer }: StoreContext,
  runId: string,
  requests: readonly LostRequest[],
): Promise<void> {
  if (requests.length === 0) return
  await writer.transaction('record requests in', async () => {
    const recorded = await writer.rows(
      `SELECT request_id FROM _requests WHERE list_contains($ids::JSON::VARCHAR[], request_id)`,
      { ids: JSON.stringify(requests.map(({ requestId }) => requestId)) },
    )
    const unrecorded = new Map(requests.map((request) => [request.requestId, request]))
    for (const row of recorded) unrecorded.delete(String(row['request_id']))
    const records = [...unrecorded.values()].map((request) => ({
      request_id: request.requestId,
      run_id: request.runId ?? runId,
      slice_id: request.sliceId,
      operation: request.operation,
      url: request.url,
      status: request.status,
      code: request.code,
      requested_at: request.requestedAtMs,
      duration_ms: Math.round(request.durationMs),
      calls: request.calls,
    }))
    await appendRecords(writer.connection, requestsTable, records)
  })
}

/** @param finishedAtMs null = nobody saw the end */
export async function finishRun(
  { writer }: StoreContext,
  runId: string,
  verdict: string,
  finishedAtMs: number | null,
): Promise<void> {
  await writer.transaction('finish the run in', async () => {
    // A run that nobody saw end may have written its own verdict meanwhile.
    const which = finishedAtMs === null ? ' AND verdict IS NULL' : ''
    await writer.run(
      `UPDATE _runs SET verdict = $verdict, finished_at = $finished WHERE run_id = $runId${which}`,
      { runId, verdict, finished: finishedAtMs === null ? null : instant(finishedAtMs) },
    )
  })
}

export async function unfinishedRuns({ reader }: StoreContext): Promise<UnfinishedRun[]> {
  return await reader.rows<UnfinishedRun>(
    'SELECT run_id AS runId, order_id AS orderId, schedule FROM _runs WHERE verdict IS NULL',
  )
}

/** Totals of a run by dataset, in the order of the plan. Pages that an earlier run staged cost this run no calls. */
export async function totals({ reader }: StoreContext, runId: string): Promise<DatasetTotals[]> {
  const rows = await reader.rows<DatasetTotals & { paths: string | null }>(
    `SELECT dataset, count(*) AS planned,
       count(*) FILTER (state = 'loaded') AS loaded,
       count(*) FILTER (state = 'provisional') AS provisional,
       count(*) FILTER (state = 'empty') AS empty,
       count(*) FILTER (state = 'failed') AS failed,
       count(*) FILTER (state = 'planned') AS missing,
       coalesce(sum(row_count), 0) AS rows, coalesce(sum(outside_slice), 0) AS outsideSlice,
       coalesce(sum(duplicate), 0) AS duplicate, coalesce(sum(quarantined), 0) AS quarantined,
       coalesce(sum(moved), 0) AS moved,
       coalesce(sum(greatest(0, told_items - items)), 0) AS unlisted,
       coalesce(sum(made), 0) AS calls,
       to_json(list(unknown_paths) FILTER (unknown_paths IS NOT NULL))::VARCHAR AS paths
     FROM (FROM _slices WHERE run_id = $runId) LEFT JOIN (
       SELECT slice_id, sum(calls) AS made FROM _requests
       WHERE run_id = $runId AND requested_at >= (SELECT started_at FROM _runs WHERE run_id = $runId)
       GROUP BY slice_id) USING (slice_id)
     GROUP BY dataset ORDER BY min(ordinal)`,
    { runId },
  )
  return rows.map(({ paths, ...total }) => ({ ...total, unknownPaths: addPaths(paths) }))
}

/** Adds up the path counts of many slices. @param list a JSON list of JSON texts; null: none */
function addPaths(list: string | null): Record<string, number> {
  const sums: Record<string, number> = {}
  for (const text of JSON.parse(list ?? '[]') as string[]) {
    for (const [path, count] of Object.entries(JSON.parse(text) as Record<string, number>)) {
      sums[path] = (sums[path] ?? 0) + count
    }
  }
  return sums
}

/**
 * Failed slices of a run: the first of each dataset and code, then the second of each. Many equal failures hide no
 * new one. Absences that an earlier run has reported are left out.
 */
export async function failures(
  { reader }: StoreContext,
  runId: string,
  limit: number,
  absences: readonly AbsentEntity[] = [],
): Promise<FailedSlice[]> {
  const told = absences.filter(({ isTold }) => isTold)
  return await reader.rows<FailedSlice>(
    `SELECT slice_id AS sliceId, code, reason, ${SLICE_COLUMNS} FROM _slices
     WHERE run_id = $runId AND state = 'failed' AND NOT (code = 'SOURCE_NOT_FOUND'
       AND dataset || ' ' || entity IN (SELECT unnest($told::JSON::VARCHAR[])))
     ORDER BY row_number() OVER (PARTITION BY dataset, code ORDER BY ordinal), ordinal LIMIT $limit`,
    { runId, limit, told: JSON.stringify(told.map((one) => `${one.dataset} ${one.entity}`)) },
  )
}
