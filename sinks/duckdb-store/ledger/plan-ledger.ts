import { crashPoint } from '../../../config/crash-point.ts'
import type { Row, Slice } from '../../../datasets/dataset.ts'
import type { Covered } from '../../../plan/covered.ts'
import { type PlannedSlice, sliceId } from '../../../plan/planned-slice.ts'
import { runsTable, slicesTable } from '../../ledger/run-tables.ts'
import type { NewRun, SliceFailure } from '../../store-records.ts'
import { appendRecords } from './append-records.ts'
import { makeTables } from '../migration/table-changes.ts'
import { instant } from '../session.ts'
import { PLANNED_SLICE_COLUMNS, SLICE_COLUMNS, sliceRecord } from './slice-rows.ts'
import type { StoreContext } from '../store-context.ts'

/**
 * States that end a slice. A new plan of an ended slice begins a new generation. So does each refetch: the staged
 * answers of a broken-off run may be weeks old.
 */
const ENDED = `('loaded', 'provisional', 'empty', 'failed')`

/**
 * Writes the run and its slices as `planned`, each slice once. A written run stays as it is. Only a restore gives a
 * `generation`: that of the pages still in the stage.
 *
 * @returns the number of slices
 */
export async function writePlan(
  context: StoreContext,
  run: NewRun,
  slices: readonly (Slice & { generation?: number })[],
): Promise<number> {
  const { writer, coinlakeVersion } = context
  crashPoint('plan.before')
  const count = await writer.transaction('write the plan into', async () => {
    const { runId } = run
    const known = await writer.rows('SELECT 1 FROM _runs WHERE run_id = $runId', { runId })
    if (known.length > 0) {
      const sql = 'SELECT count(*) AS slices FROM _slices WHERE run_id = $runId'
      const [row] = await writer.rows(sql, { runId })
      return Number(row?.['slices'])
    }
    await makeTables(context, new Set(slices.map(({ dataset }) => dataset)), run.startedAtMs)
    const byId = new Map(slices.map((slice) => [sliceId(slice), slice]))
    await appendRecords(writer.connection, runsTable, [
      {
        run_id: runId,
        order_id: run.orderId,
        purpose: run.purpose ?? null,
        schedule: run.schedule ?? null,
        window_at: run.windowMs ?? null,
        left_to_others: run.leftToOthers || null,
        started_at: run.startedAtMs,
        coinlake_version: run.coinlakeVersion || coinlakeVersion,
      },
    ])
    const records = [...byId].map(([id, slice], ordinal) =>
      recordOf(slice, { runId, ordinal, id, atMs: run.startedAtMs }),
    )
    await appendRecords(writer.connection, slicesTable, records)
    if (run.purpose === 'restore') return records.length
    const before = run.purpose === 'refetch' ? 'run_id <> $runId' : `state IN ${ENDED}`
    await writer.run(
      `UPDATE _slices SET generation = before.generation + 1
       FROM (SELECT slice_id, max(generation) AS generation FROM _slices
             WHERE ${before} AND slice_id IN (SELECT slice_id FROM _slices WHERE run_id = $runId)
             GROUP BY slice_id) AS before
       WHERE _slices.run_id = $runId AND _slices.slice_id = before.slice_id`,
      { runId },
    )
    return records.length
  })
  crashPoint('plan.after')
  return count
}

function recordOf(
  slice: Slice & { generation?: number },
  at: { runId: string; ordinal: number; id: string; atMs: number },
): Row {
  return {
    run_id: at.runId,
    ordinal: at.ordinal,
    slice_id: at.id,
    generation: slice.generation ?? 0,
    ...sliceRecord(slice),
    state: 'planned',
    planned_at: at.atMs,
    updated_at: at.atMs,
  }
}

/** Adds failed slices to the plan of a run. Planned slices stay as they are. */
export async function addFailed(
  { writer, clock }: StoreContext,
  runId: string,
  slices: readonly Slice[],
  failure: Omit<SliceFailure, 'ordinal'>,
): Promise<void> {
  if (slices.length === 0) return
  await writer.transaction('add failed slices to the plan in', async () => {
    const sql = 'SELECT slice_id, ordinal FROM _slices WHERE run_id = $runId ORDER BY ordinal'
    const planned = await writer.rows(sql, { runId })
    const known = new Set(planned.map((row) => String(row['slice_id'])))
    const next = Number(planned.at(-1)?.['ordinal'] ?? -1) + 1
    const records = slices
      .map((slice) => ({ slice, id: sliceId(slice) }))
      .filter(({ id }) => !known.has(id))
      .map(({ slice, id }, place) => ({
        ...recordOf(slice, { runId, ordinal: next + place, id, atMs: clock.nowMs() }),
        ...failure,
        state: 'failed',
      }))
    await appendRecords(writer.connection, slicesTable, records)
  })
}

/** Slices that these runs have planned and not fetched. No other run should fetch them. */
export async function plannedBy(
  { reader }: StoreContext,
  runIds: readonly string[],
): Promise<Covered[]> {
  if (runIds.length === 0) return []
  return await reader.rows<Covered>(
    `SELECT DISTINCT ${SLICE_COLUMNS} FROM _slices
     WHERE state = 'planned' AND list_contains($runIds::JSON::VARCHAR[], run_id)`,
    { runIds: JSON.stringify(runIds) },
  )
}

export async function nextSlices(
  { reader }: StoreContext,
  { runId, after, limit }: { runId: string; after: number; limit: number },
): Promise<PlannedSlice[]> {
  return await reader.rows<PlannedSlice>(
    `SELECT ${PLANNED_SLICE_COLUMNS} FROM _slices
     WHERE run_id = $runId AND state = 'planned' AND ordinal > $after
     ORDER BY ordinal LIMIT $limit`,
    { runId, after, limit },
  )
}

/** Ends planned slices as failed. The next plan has failed slices again, because they are not covered. */
export async function failSlices(
  { writer, clock }: StoreContext,
  runId: string,
  failures: readonly SliceFailure[],
): Promise<void> {
  if (failures.length === 0) return
  await writer.transaction('record failed slices in', async () => {
    for (const { ordinal, code, reason } of failures) {
      await writer.run(
        `UPDATE _slices SET state = 'failed', code = $code, reason = $reason, updated_at = $now
         WHERE run_id = $runId AND ordinal = $ordinal AND state = 'planned'`,
        { runId, ordinal, code, reason, now: instant(clock.nowMs()) },
      )
    }
  })
}
