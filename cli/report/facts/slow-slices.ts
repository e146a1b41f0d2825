import { quoteText } from '../../../datasets/ddl.ts'
import type { OpenLedger } from '../../ledger/open-ledger.ts'

/** A slice by the time that its answers took. */
export interface SlowSlice {
  dataset: string
  entity: string
  vsCurrency: string
  granularity: string
  /** ISO times; half-open. */
  from: string
  to: string
  requests: number
  /** Physical requests, repetitions included. */
  calls: number
  /** All its requests together, refused and failed ones as well. */
  totalMs: number
  slowestMs: number
  state: string
}

const SHOWN = 10

/** The slices of a run (null: of all) that the source took longest to answer. */
export async function slowSlices(
  ledger: Pick<OpenLedger, 'rows'>,
  runId: string | null,
): Promise<SlowSlice[]> {
  const ofRun = runId === null ? '' : `WHERE run_id = ${quoteText(runId)}`
  const rows = await ledger.rows(
    `WITH slowest AS (
       SELECT run_id, slice_id, count(*) AS requests, sum(calls) AS calls, sum(duration_ms) AS total_ms,
         max(duration_ms) AS slowest_ms
       FROM _requests ${ofRun} GROUP BY run_id, slice_id
       ORDER BY total_ms DESC NULLS LAST, slice_id LIMIT ${SHOWN})
     SELECT s.dataset, s.entity, s.vs_currency, s.granularity, epoch_ms(s.from_at) AS from_ms,
       epoch_ms(s.to_at) AS to_ms, s.state, r.requests, r.calls, r.total_ms, r.slowest_ms
     FROM slowest r JOIN _slices s ON s.run_id = r.run_id AND s.slice_id = r.slice_id
     QUALIFY row_number() OVER (PARTITION BY r.run_id, r.slice_id ORDER BY s.ordinal DESC) = 1
     ORDER BY r.total_ms DESC, s.slice_id`,
  )
  return rows.map((row) => ({
    dataset: String(row['dataset']),
    entity: String(row['entity']),
    vsCurrency: String(row['vs_currency']),
    granularity: String(row['granularity']),
    from: new Date(Number(row['from_ms'])).toISOString(),
    to: new Date(Number(row['to_ms'])).toISOString(),
    requests: Number(row['requests']),
    calls: Number(row['calls']),
    totalMs: Number(row['total_ms']),
    slowestMs: Number(row['slowest_ms']),
    state: String(row['state']),
  }))
}
