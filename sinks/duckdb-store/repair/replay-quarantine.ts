import type { Row } from '../../../datasets/dataset.ts'
import type { PageStage, StagedPage } from '../../../stage/page-stage.ts'
import type { StagedSlice } from '../load/load-batch.ts'
import {
  markPartitions,
  nextLoadId,
  NOTHING_LOADED,
  pageId,
  recordLoad,
} from '../load/load-ledger.ts'
import { mergeTable } from '../merge/merge-table.ts'
import type { MergeCounts } from '../merge/merge.ts'
import { instant, type Session } from '../session.ts'
import type { PlannedSlice } from '../../../plan/planned-slice.ts'
import { PLANNED_SLICE_COLUMNS } from '../ledger/slice-rows.ts'
import { settleAnswer } from '../load/settle-answer.ts'
import { copyStaged } from '../load/copy-staged.ts'
import { datasetOf, type StoreContext } from '../store-context.ts'

/** The outcome of a replay, by ids of quarantined rows. */
export interface ReplayReport {
  /** Rows that pass today's rules. */
  replayed: string[]
  /** Rows that break a rule of today. */
  rejected: string[]
  /** Rows whose answer is not kept, or is damaged. */
  unreadable: string[]
  /** Number of inserted rows. A row that passes may be there already. */
  rows: number
}

/** The page's id (`pageId` in load-ledger.ts), and the index of the row. */
const QUARANTINE_ID = /^(.*)-\d+$/

/**
 * Reads the kept answers of quarantined rows again, by today's rules. If a row passes, the missing rows of its page are
 * inserted. Rows that are there already stay as they are, and so do stretches that a later answer covers. Each page has
 * its own transaction.
 */
export async function replayQuarantine(
  context: StoreContext,
  ids: readonly string[],
  stage: PageStage,
): Promise<ReplayReport> {
  const report: ReplayReport = { replayed: [], rejected: [], unreadable: [], rows: 0 }
  const open = await context.reader.rows(
    `SELECT quarantine_id, path FROM _quarantine
     WHERE ended_at IS NULL AND list_contains($ids::JSON::VARCHAR[], quarantine_id) ORDER BY ALL`,
    { ids: JSON.stringify(ids) },
  )
  const idOf = (row: Row): string => String(row['quarantine_id'])
  const pageOf = (row: Row): string => QUARANTINE_ID.exec(idOf(row))?.[1] ?? ''
  for (const [pageId, rows] of Map.groupBy(open, pageOf)) {
    const found = await findPage(context, pageId, stage)
    if (found === null) {
      report.unreadable.push(...rows.map(idOf))
      continue
    }
    const broken = new Set(found.page.rejected.map(({ path }) => path))
    const passing = rows.filter((row) => !broken.has(String(row['path']))).map(idOf)
    report.rejected.push(...rows.filter((row) => broken.has(String(row['path']))).map(idOf))
    if (passing.length === 0) continue
    report.rows += await loadPage(context, found, passing, stage)
    report.replayed.push(...passing)
  }
  return report
}

/** Ends open rows without loading them. They stay in the ledger. @returns their number */
export async function dropQuarantine(
  { writer, clock }: StoreContext,
  ids: readonly string[],
): Promise<number> {
  return await writer.transaction('drop quarantined rows in', () =>
    endRows(writer, ids, 'dropped', clock.nowMs()),
  )
}

async function endRows(
  session: Session,
  ids: readonly string[],
  as: 'dropped' | 'replayed',
  nowMs: number,
): Promise<number> {
  return await session.run(
    `UPDATE _quarantine SET ended_at = $now, ended_as = $as
     WHERE ended_at IS NULL AND list_contains($ids::JSON::VARCHAR[], quarantine_id)`,
    { ids: JSON.stringify(ids), now: instant(nowMs), as },
  )
}

interface FoundPage {
  slice: StagedSlice
  page: StagedPage
  runId: string
}

async function findPage(
  context: StoreContext,
  id: string,
  stage: PageStage,
): Promise<FoundPage | null> {
  const [row] = await context.reader.rows<PlannedSlice & { runId: string; fetchedAtMs: number }>(
    `SELECT ${PLANNED_SLICE_COLUMNS}, run_id AS runId, epoch_ms(fetched_at) AS fetchedAtMs FROM _slices
     WHERE slice_id = split_part($id, '-', 1)
       AND starts_with($id, concat(slice_id, '-g', generation, '-')) AND pages > 0 LIMIT 1`,
    { id },
  )
  const pages = row === undefined ? null : await stage.findSlice(row.sliceId, row.generation)
  const page = pages?.find((one) => pageId(one) === id)
  if (row === undefined || pages === null || page === undefined) return null
  const { runId, fetchedAtMs, ...planned } = row
  const answer = { planned, pages, fetchedAtMs }
  const dataset = datasetOf(context, planned.dataset)
  const settlement = await settleAnswer(answer, dataset, stage, context.clock.nowMs())
  const slice = { planned, pages: [page], fetchedAtMs, settlement }
  return { slice, page, runId }
}

async function loadPage(
  context: StoreContext,
  { slice, runId }: FoundPage,
  passing: readonly string[],
  stage: PageStage,
): Promise<number> {
  const { writer, clock } = context
  const nowMs = clock.nowMs()
  return await writer.transaction('replay quarantined rows into', async () => {
    const loadId = await nextLoadId(writer)
    const counts: MergeCounts[] = []
    for (const table of await copyStaged(context, runId, [slice], stage)) {
      counts.push(await mergeTable(writer, table, loadId, 'kept'))
    }
    const rows = counts.reduce((sum, { inserted }) => sum + inserted, 0)
    const report = { ...NOTHING_LOADED, loadId, rowsInserted: rows }
    await recordLoad(context, { runId, loadId, nowMs }, report)
    await markPartitions(context, counts, loadId)
    await endRows(writer, passing, 'replayed', nowMs)
    const { sliceId, generation } = slice.planned
    await writer.run(
      `UPDATE _slices SET row_count = row_count + $rows, quarantined = quarantined - $passing,
         updated_at = $now WHERE slice_id = $sliceId AND generation = $generation AND pages > 0`,
      { rows, passing: passing.length, now: instant(nowMs), sliceId, generation },
    )
    return rows
  })
}
