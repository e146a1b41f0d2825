import type { Dataset } from '../../../datasets/dataset.ts'
import { RECHECK_MS, type Settlement, settlementOf } from '../../../plan/settlement.ts'
import type { PageStage, StagedPage } from '../../../stage/page-stage.ts'
import type { PagedSlice } from './load-batch.ts'
import { readStaged } from './copy-staged.ts'

const US_PER_MS = 1000n
/** The local clock may be this far ahead of the source's clock. */
const MOST_SKEW_MS = 3_600_000

/**
 * The part of a slice that its answer settles. Rows are read only if the end of the slice may not be final, as in the
 * newest slice of a series. If the source's clock is behind, its time to check again may be past. Then a later time is
 * returned, because the command repeated at once must make no call.
 *
 * @param nowMs by the local clock
 * @throws DamagedSliceError when a staged file is damaged
 */
export async function settleAnswer(
  { planned, pages, fetchedAtMs }: PagedSlice,
  dataset: Dataset,
  stage: PageStage,
  nowMs: number,
): Promise<Settlement> {
  const { granularity, toMs } = planned
  const isPast = toMs <= fetchedAtMs - dataset.cacheMs(granularity)
  const isFinal = isPast && settlementOf(planned, fetchedAtMs, dataset, []).settledToMs >= toMs
  const times = isFinal ? [] : await timesOf(planned.ordinal, pages, dataset, stage)
  const settlement = settlementOf(planned, fetchedAtMs, dataset, times)
  const { recheckAtMs } = settlement
  // A larger difference means a wrong clock, or a source that stands at another time.
  if (recheckAtMs === null || nowMs - fetchedAtMs > MOST_SKEW_MS) return settlement
  return { ...settlement, recheckAtMs: Math.max(recheckAtMs, nowMs + RECHECK_MS) }
}

/** Times of the facts of an answer, in epoch ms, ascending. */
async function timesOf(
  ordinal: number,
  pages: readonly StagedPage[],
  { tables }: Dataset,
  stage: PageStage,
): Promise<number[]> {
  const times: number[] = []
  for (const page of pages) {
    for (const { table: name, rowCount } of page.tables) {
      const spec = tables.find((table) => table.name === name)
      if (rowCount === 0 || spec?.load !== 'facts' || spec.monthBy === null) continue
      const rows = await readStaged(stage, page, name, ordinal)
      for (const { values } of rows.getChild(spec.monthBy)?.data ?? []) {
        for (const us of values as BigInt64Array) times.push(Number(us / US_PER_MS))
      }
    }
  }
  return times.sort((a, b) => a - b)
}
