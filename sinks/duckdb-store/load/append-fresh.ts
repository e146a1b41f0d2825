import type { TableSpec } from '../../../datasets/dataset.ts'
import type { PageStage } from '../../../stage/page-stage.ts'
import { freshSlices } from './fresh-slices.ts'
import type { StagedSlice } from './load-batch.ts'
import type { MergeCounts } from '../merge/merge.ts'
import { appendStaged } from '../merge/merge-table.ts'
import { seriesTimes } from './series-times.ts'
import { readStaged, stageRows } from './stage-rows.ts'
import type { StoreContext } from '../store-context.ts'

const US_PER_MS = 1000

export interface Appended {
  counts: MergeCounts[]
  toMerge: StagedSlice[]
}

/**
 * Appends slices whose stretch has no row in its table yet, as the ledger shows. An append saves most of the cost of a
 * merge: the search for repeats, the join and the sort.
 *
 * @throws DamagedSliceError when a staged file is damaged
 */
export async function appendFresh(
  context: StoreContext,
  load: { runId: string; loadId: number },
  slices: readonly StagedSlice[],
  stage: PageStage,
): Promise<Appended> {
  const freshTables = await freshSlices(context, load, slices)
  const fresh: StagedSlice[] = []
  const toMerge: StagedSlice[] = []
  for (const slice of slices) {
    const table = freshTables.get(slice.planned.ordinal)
    const isFresh = table !== undefined && (await isInOrder(slice, table, stage))
    if (isFresh) fresh.push(slice)
    else toMerge.push(slice)
  }
  if (fresh.length === 0) return { counts: [], toMerge }
  const counts: MergeCounts[] = []
  for (const table of await stageRows(context, inTableOrder(fresh), stage)) {
    counts.push(await appendStaged(context.writer, table, load.loadId))
  }
  return { counts, toMerge }
}

/** Whether all rows of a slice belong to one series, and each page begins after the last one. */
async function isInOrder(
  { planned, pages }: StagedSlice,
  table: TableSpec,
  stage: PageStage,
): Promise<boolean> {
  let endedUs = planned.fromMs * US_PER_MS - 1
  for (const page of pages) {
    for (const staged of page.tables) {
      if (staged.table !== table.name) return false
      if (staged.rowCount === 0) continue
      const rows = await readStaged(stage, page, staged.table, planned.ordinal)
      const times = seriesTimes(rows, table)
      if (times === null || times[0]! <= endedUs) return false
      endedUs = times.at(-1)!
      if (endedUs >= planned.toMs * US_PER_MS) return false
    }
  }
  return true
}

/** Sorts slices as tables are sorted, so that the rows of a load need no sort. */
function inTableOrder(slices: readonly StagedSlice[]): StagedSlice[] {
  const keyed = slices.map((slice) => {
    const { entity, vsCurrency, granularity, fromMs } = slice.planned
    return { slice, name: Buffer.from([entity, vsCurrency, granularity].join('\0')), fromMs }
  })
  keyed.sort((a, b) => Buffer.compare(a.name, b.name) || a.fromMs - b.fromMs)
  return keyed.map(({ slice }) => slice)
}
