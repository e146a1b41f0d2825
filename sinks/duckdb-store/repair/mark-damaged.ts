import type { Slice } from '../../../datasets/dataset.ts'
import { isOfBuckets } from '../../../datasets/request/buckets.ts'
import { quoteName, quoteText } from '../../../datasets/table/ddl.ts'
import { reachLimits } from '../../../plan/plan-slices.ts'
import { contentsTable } from '../../ledger/row-tables.ts'
import type { Difference } from '../../verify/verify-source.ts'
import { noteContentsSql } from '../load/note-contents.ts'
import { instant } from '../session.ts'
import { datasetOf, type StoreContext } from '../store-context.ts'

export const SLICE_DAMAGED = 'SLICE_DAMAGED'

export interface RepairReport {
  /** Slices that the next backfill asks for again. */
  marked: string[]
  /** Slices that the source cannot answer again. Nothing of them is changed, so each verify names them. */
  past: string[]
}

/**
 * Marks slices with damaged rows as failed, so that the next backfill fetches them again. Their rows become
 * provisional: views leave them out, and the new answer replaces them without a revision. Slices that the source cannot
 * answer again stay as they are: snapshots of a past time, and histories mostly before its reach or that of the key's
 * plan. Nothing is deleted. One transaction.
 */
export async function markDamaged(
  context: StoreContext,
  differences: readonly Difference[],
  maxHistoryDays: number | null,
): Promise<RepairReport> {
  const { writer, clock, datasets } = context
  const tables = [...datasets.values()].flatMap((dataset) => dataset.tables)
  const damaged = Map.groupBy(
    differences.filter(({ check, slice }) => check === 'rows' && slice !== null),
    ({ sliceId }) => sliceId ?? '',
  )
  if (damaged.size === 0) return { marked: [], past: [] }
  const nowMs = clock.nowMs()
  const isPast = (slice: Slice): boolean => {
    const dataset = datasetOf(context, slice.dataset)
    if (isOfBuckets(dataset)) return slice.toMs <= nowMs
    const limits = reachLimits({ nowMs, maxHistoryDays }, dataset, slice.granularity)
    const middleMs = (slice.fromMs + slice.toMs) / 2
    return limits.some(({ earliestMs }) => middleMs < earliestMs)
  }
  return await writer.transaction('mark damaged slices in', async () => {
    const report: RepairReport = { marked: [], past: [] }
    for (const [sliceId, found] of damaged) {
      const [{ slice }] = found as [Difference]
      if (slice === null) continue
      if (isPast(slice)) {
        report.past.push(sliceId)
        continue
      }
      for (const { table: name } of found) {
        const table = tables.find((one) => one.name === name)
        if (table === undefined) continue
        const isOfSlice = `slice_id = ${quoteText(sliceId)}`
        if (table.load === 'facts') {
          await writer.run(
            `UPDATE ${quoteName(table.name)} SET is_provisional = true, is_moving = true WHERE ${isOfSlice}`,
          )
        }
        // Until the new answer, the rows found now are the expected ones. Only further damage shows.
        await writer.run(
          `DELETE FROM ${contentsTable.name} WHERE table_name = ${quoteText(table.name)} AND ${isOfSlice}`,
        )
        const from = `FROM ${quoteName(table.name)} t WHERE t.${isOfSlice}`
        await writer.run(noteContentsSql(table, from, { changedBy: 't.load_id' }))
      }
      const reasons = found.map(
        ({ table, expected, found: rows }) =>
          `${table}: ${expected} rows were loaded, found ${rows}`,
      )
      const reason = `verify: ${reasons.join('; ')}`
      await writer.run(
        `UPDATE _slices SET state = 'failed', code = $code, reason = $reason, updated_at = $now
         WHERE slice_id = $sliceId AND state IN ('loaded', 'provisional', 'empty')`,
        { code: SLICE_DAMAGED, reason, now: instant(nowMs), sliceId },
      )
      report.marked.push(sliceId)
    }
    return report
  })
}
