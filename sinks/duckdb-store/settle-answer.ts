import type { Dataset } from '../../datasets/dataset.ts'
import type { PlannedSlice } from '../../plan/planned-slice.ts'
import { type Settlement, settled } from '../../plan/settled.ts'
import type { PageStage, StagedPage } from '../../stage/page-stage.ts'
import { readStaged } from './stage-rows.ts'

const US_PER_MS = 1000n

/**
 * What the answer to a slice settles of it. Rows are looked at only where the end of the slice is not
 * final: that is one slice of a series.
 *
 * @throws DamagedSlice when a staged file does not hold what it should.
 */
export async function settleAnswer(
  { planned, pages, fetchedAtMs }: SliceAnswer,
  dataset: Dataset,
  stage: PageStage,
): Promise<Settlement> {
  const isFinal = settled(planned, fetchedAtMs, dataset, []).settledToMs >= planned.toMs
  const times = isFinal ? [] : await timesOf(planned.ordinal, pages, dataset, stage)
  return settled(planned, fetchedAtMs, dataset, times)
}

interface SliceAnswer {
  planned: PlannedSlice
  pages: readonly StagedPage[]
  fetchedAtMs: number
}

/** Times of the facts of an answer, in epoch milliseconds, ascending. */
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
