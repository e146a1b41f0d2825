import type { Table as ArrowTable } from 'apache-arrow'
import type { ColumnData } from '../../datasets/column-data.ts'
import type { TableSpec } from '../../datasets/dataset.ts'
import { quoteName, storedColumns } from '../../datasets/ddl.ts'
import type { PageStage, StagedPage } from '../../stage/page-stage.ts'
import { openArrowAppender } from '../arrow-into-duckdb.ts'
import type { ArrowAppender } from '../arrow-into-duckdb.ts'
import type { StagedSlice } from './load-batch.ts'
import { noCounts } from './merge.ts'
import type { MergeCounts } from './merge.ts'
import { noteContentsSql } from './note-contents.ts'
import { freshSeries } from './fresh-series.ts'
import { seriesTimes } from './series-times.ts'
import { readStaged } from './stage-rows.ts'
import type { StoreContext } from './store-context.ts'
import { withLineage } from './with-lineage.ts'

const US_PER_MS = 1000
const MONTH_DIGITS = 7

/** A page of a slice, read and known to be a part of one series. */
interface FreshPage {
  page: StagedPage
  rows: ArrowTable
  /** Epoch microseconds, increasing. */
  times: Float64Array
}

/** A table that slices are appended to. */
interface Target {
  table: TableSpec
  appender: ArrowAppender
  counts: MergeCounts
}

/** What was appended, and what is left to be merged. */
export interface Appended {
  counts: MergeCounts[]
  /** Slices that are not appended. */
  others: StagedSlice[]
}

/**
 * Appends slices that meet no row of their table straight to it: parts of a series, in stretches that
 * the ledger knows nothing of. They need no staging, no join and no sort, which is most of what a merge
 * costs. The rest is returned, to be merged.
 *
 * @throws DamagedSlice when a staged file does not hold what it should.
 */
export async function appendFresh(
  context: StoreContext,
  load: { runId: string; loadId: number },
  slices: readonly StagedSlice[],
  stage: PageStage,
): Promise<Appended> {
  const freshTables = await freshSeries(context, load, slices)
  const others = slices.filter(({ planned }) => !freshTables.has(planned.ordinal))
  const targets = new Map<string, Target>()
  try {
    for (const slice of inTableOrder(slices)) {
      const table = freshTables.get(slice.planned.ordinal)
      if (table === undefined) continue
      const pages = await readParts(slice, table, stage)
      if (pages === null) {
        others.push(slice)
        continue
      }
      const target = targets.get(table.name) ?? (await openTarget(context, table))
      targets.set(table.name, target)
      for (const page of pages) append(target, slice, page, load.loadId)
    }
  } finally {
    for (const { appender } of targets.values()) appender.close()
  }
  const filled = [...targets.values()].filter(({ counts }) => counts.inserted > 0)
  for (const { table } of filled) await noteAppended(context, table, load.loadId)
  return { counts: filled.map(({ counts }) => counts), others }
}

/** Tells `_contents` of the rows that a load has appended to a table, before it merges any. */
async function noteAppended(
  { writer }: StoreContext,
  table: TableSpec,
  loadId: number,
): Promise<void> {
  const written = `FROM ${quoteName(table.name)} t WHERE t.load_id = ${loadId}`
  const lineage = { sliceId: 't.slice_id', loadId: 't.load_id', changedBy: 't.load_id' }
  await writer.run(noteContentsSql(table, written, { ...lineage, isRemoved: false }, 't'))
}

async function openTarget({ writer }: StoreContext, table: TableSpec): Promise<Target> {
  const appender = await openArrowAppender(writer.connection, table.name, storedColumns(table))
  return { table, appender, counts: noCounts(table.name) }
}

/** All pages of a slice, if each goes on where the one before ended; null when they are not that plain. */
async function readParts(
  slice: StagedSlice,
  table: TableSpec,
  stage: PageStage,
): Promise<FreshPage[] | null> {
  const pages: FreshPage[] = []
  const { fromMs, toMs, ordinal } = slice.planned
  let endedUs = fromMs * US_PER_MS - 1
  for (const page of slice.pages) {
    for (const staged of page.tables) {
      if (staged.table !== table.name) return null
      if (staged.rowCount === 0) continue
      const rows = await readStaged(stage, page, staged.table, ordinal)
      const times = seriesTimes(rows, table)
      if (times === null || times[0]! <= endedUs) return null
      endedUs = times.at(-1)!
      if (endedUs >= toMs * US_PER_MS) return null
      pages.push({ page, rows, times })
    }
  }
  return pages
}

function append(
  { table, appender, counts }: Target,
  { planned, settlement }: StagedSlice,
  { page, rows, times }: FreshPage,
  loadId: number,
): void {
  const { sliceId } = planned
  const { settledToMs, movingMs } = settlement
  const isProvisional = laterThan(times, settledToMs * US_PER_MS)
  const isMoving = laterThan(times, (movingMs ?? Infinity) * US_PER_MS)
  const lineage = { isProvisional, isMoving, fetchedAtMs: page.fetchedAtMs, sliceId, loadId }
  appender.append(withLineage(rows, table, lineage))
  counts.inserted += rows.numRows
  addMonths(counts.months, times)
}

/** For each row whether it is at or after `fromUs`. Mostly none is. */
function laterThan(times: Float64Array, fromUs: number): ColumnData {
  if (times.at(-1)! < fromUs) return { constant: false }
  return Array.from(times, (time) => time >= fromUs)
}

function addMonths(months: Set<string>, times: Float64Array): void {
  let nextUs = -Infinity
  for (const time of times) {
    if (time < nextUs) continue
    const date = new Date(time / US_PER_MS)
    months.add(date.toISOString().slice(0, MONTH_DIGITS))
    nextUs = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1) * US_PER_MS
  }
}

/** Series by series, as a table is sorted, so that the rows of a load need no sort. */
function inTableOrder(slices: readonly StagedSlice[]): StagedSlice[] {
  const keyed = slices.map((slice) => {
    const { entity, vsCurrency, granularity, fromMs } = slice.planned
    return { slice, name: Buffer.from([entity, vsCurrency, granularity].join('\0')), fromMs }
  })
  keyed.sort((a, b) => Buffer.compare(a.name, b.name) || a.fromMs - b.fromMs)
  return keyed.map(({ slice }) => slice)
}
