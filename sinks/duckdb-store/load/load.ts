import pLimit from 'p-limit'
import { crashPoint } from '../../../config/crash-point.ts'
import type { PageStage } from '../../../stage/page-stage.ts'
import type { LoadReport } from '../../store-records.ts'
import { claimSlices } from './claim-slices.ts'
import { cutLoad, type PagedSlice, type StagedSlice } from './load-batch.ts'
import { nextLoadId, NOTHING_LOADED, writeLoadLedger } from './load-ledger.ts'
import type { MergeCounts } from '../merge/merge.ts'
import { mergeTable } from '../merge/merge-table.ts'
import { freshSlices } from './fresh-slices.ts'
import { settleAnswer } from './settle-answer.ts'
import type { PlannedSlice } from '../../../plan/planned-slice.ts'
import { PLANNED_SLICE_COLUMNS } from '../ledger/slice-rows.ts'
import { DamagedSliceError, copyStaged } from './copy-staged.ts'
import { datasetOf, type StoreContext } from '../store-context.ts'

export interface LoadRequest {
  runId: string
  ordinals: readonly number[]
  nowMs: number
}

/** Slices whose pages are read at once. One by one, each read waits for the bucket. */
const READS_AT_ONCE = 8

type LoadResult = LoadReport & {
  notStaged: number[]
  /** Ids of all other slices of `ordinals`, also of those that an earlier attempt has loaded. */
  sliceIds: string[]
}

/**
 * Claims the planned slices among `ordinals`, loads their staged pages and writes the ledger, in one transaction. A
 * slice without all its pages in the stage stays planned and is in `notStaged`. More than two row groups take several
 * transactions. The report adds them up and names the last load.
 */
export async function load(
  context: StoreContext,
  request: LoadRequest,
  stage: PageStage,
): Promise<LoadResult> {
  const { asked, slices, notStaged } = await findStaged(context, request, stage)
  const total: LoadResult = { ...NOTHING_LOADED, notStaged, sliceIds: [] }
  for (const batch of cutLoad(slices)) {
    const { report, damaged } = await loadUndamaged(context, request, batch, stage)
    add(total, report)
    total.notStaged.push(...damaged)
    const loaded = batch.filter(({ planned }) => !damaged.includes(planned.ordinal))
    await stage.release(loaded.flatMap(({ pages }) => pages))
  }
  const done = asked.filter(({ ordinal }) => !notStaged.includes(ordinal))
  total.sliceIds = done.map(({ sliceId }) => sliceId)
  return total
}

async function findStaged(
  context: StoreContext,
  { runId, ordinals }: LoadRequest,
  stage: PageStage,
): Promise<{ asked: PlannedSlice[]; slices: PagedSlice[]; notStaged: number[] }> {
  const asked = await context.reader.rows<PlannedSlice & { state: string }>(
    `SELECT ${PLANNED_SLICE_COLUMNS}, state FROM _slices
     WHERE run_id = $runId AND list_contains($ordinals::JSON::BIGINT[], ordinal)
     ORDER BY ordinal`,
    { runId, ordinals: JSON.stringify(ordinals) },
  )
  const slices: PagedSlice[] = []
  const notStaged: number[] = []
  const claimable = asked.filter(({ state }) => state === 'planned')
  const found = await pLimit(READS_AT_ONCE).map(claimable, async (planned) => ({
    planned,
    pages: await stage.findSlice(planned.sliceId, planned.generation),
  }))
  for (const { planned, pages } of found) {
    if (pages === null) notStaged.push(planned.ordinal)
    else {
      const fetchedAtMs = Math.min(...pages.map((page) => page.fetchedAtMs))
      slices.push({ planned, pages, fetchedAtMs })
    }
  }
  return { asked, slices, notStaged }
}

/** Loads a batch. Tries again without each slice that has a damaged file. */
async function loadUndamaged(
  context: StoreContext,
  request: LoadRequest,
  batch: readonly PagedSlice[],
  stage: PageStage,
): Promise<{ report: LoadReport; damaged: number[] }> {
  const damaged: number[] = []
  for (;;) {
    const whole = batch.filter(({ planned }) => !damaged.includes(planned.ordinal))
    try {
      return { report: await loadBatch(context, request, whole, stage), damaged }
    } catch (error) {
      if (!(error instanceof DamagedSliceError)) throw error
      damaged.push(error.ordinal)
    }
  }
}

async function loadBatch(
  context: StoreContext,
  request: LoadRequest,
  batch: readonly PagedSlice[],
  stage: PageStage,
): Promise<LoadReport> {
  const { writer } = context
  const { runId, nowMs } = request
  crashPoint('load.begin.before')
  const report = await writer.transaction('load slices into', async () => {
    crashPoint('load.begin.after')
    const of = { runId, nowMs, loadId: await nextLoadId(writer) }
    const ordinals = batch.map(({ planned }) => planned.ordinal)
    const claimed = await claimSlices(writer, of, ordinals)
    const slices: StagedSlice[] = []
    for (const slice of batch.filter(({ planned }) => claimed.has(planned.ordinal))) {
      const dataset = datasetOf(context, slice.planned.dataset)
      slices.push({ ...slice, settlement: await settleAnswer(slice, dataset, stage, nowMs) })
    }
    if (slices.length === 0) return NOTHING_LOADED
    crashPoint('load.rows.before')
    const fresh = await freshSlices(context, of, slices)
    const others = slices.filter((slice) => !fresh.includes(slice))
    const counts: MergeCounts[] = []
    for (const [present, some] of [
      ['fresh', fresh],
      ['older', others],
    ] as const) {
      if (some.length === 0) continue
      for (const table of await copyStaged(context, runId, some, stage)) {
        counts.push(await mergeTable(writer, table, of.loadId, present))
      }
    }
    crashPoint('load.rows.after')
    crashPoint('load.ledger.before')
    const written = await writeLoadLedger(context, of, slices, counts)
    crashPoint('load.ledger.after')
    crashPoint('load.commit.before')
    return written
  })
  crashPoint('load.commit.after')
  return report
}

function add(total: LoadReport, { loadId, ...counts }: LoadReport): void {
  total.loadId = Math.max(total.loadId, loadId)
  for (const name of Object.keys(counts) as (keyof typeof counts)[]) total[name] += counts[name]
}
