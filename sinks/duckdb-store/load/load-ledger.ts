import type { Row } from '../../../datasets/dataset.ts'
import { clip } from '../../../plan/intervals.ts'
import type { StagedPage } from '../../../stage/page-stage.ts'
import { partitionsTable } from '../../ledger/row-tables.ts'
import {
  type SliceState,
  loadsTable,
  quarantineTable,
  requestsTable,
  slicesTable,
} from '../../ledger/run-tables.ts'
import type { LoadReport } from '../../store-records.ts'
import { appendRecords } from '../ledger/append-records.ts'
import { type LoadIds, stagedRowCount, type StagedSlice } from './load-batch.ts'
import type { MergeCounts } from '../merge/merge.ts'
import { instant, type Session } from '../session.ts'
import type { StoreContext } from '../store-context.ts'

/** Writes the outcome of a load into the ledger. Runs in the load's transaction. */
export async function writeLoadLedger(
  context: StoreContext,
  load: LoadIds,
  slices: readonly StagedSlice[],
  counts: readonly MergeCounts[],
): Promise<LoadReport> {
  const { connection } = context.writer
  const { runId, loadId } = load
  const pages = slices.flatMap((slice) => slice.pages)
  const quarantined = pages.flatMap((page) => quarantineRows(page, loadId))
  await setOutcomes(context, load, slices, counts)
  const requests = pages.map((page) => requestRow(page, runId))
  await appendRecords(connection, requestsTable, requests)
  await endRefetched(context, load, slices)
  await appendRecords(connection, quarantineTable, quarantined)
  await markPartitions(context, counts, loadId)
  const report: LoadReport = {
    loadId,
    slices: slices.length,
    rowsInserted: sum(counts.map(({ inserted }) => inserted)),
    rowsReplaced: sum(counts.map(({ replaced }) => replaced)),
    rowsRevised: sum(counts.map(({ revised }) => revised)),
    rowsDuplicate: sum(counts.map(({ duplicate }) => duplicate)),
    rowsQuarantined: quarantined.length,
  }
  await recordLoad(context, load, report)
  return report
}

export const NOTHING_LOADED: LoadReport = {
  loadId: 0,
  slices: 0,
  rowsInserted: 0,
  rowsReplaced: 0,
  rowsRevised: 0,
  rowsDuplicate: 0,
  rowsQuarantined: 0,
}

/** The id for the load of the open transaction. */
export async function nextLoadId(writer: Session): Promise<number> {
  const [last] = await writer.rows('SELECT coalesce(max(load_id), 0) AS load_id FROM _loads')
  return Number(last?.['load_id']) + 1
}

export async function recordLoad(
  { writer, coinlakeVersion }: StoreContext,
  { runId, nowMs }: LoadIds,
  report: LoadReport,
): Promise<void> {
  await appendRecords(writer.connection, loadsTable, [
    {
      load_id: report.loadId,
      run_id: runId,
      loaded_at: nowMs,
      slices: report.slices,
      rows_inserted: report.rowsInserted,
      rows_replaced: report.rowsReplaced,
      rows_revised: report.rowsRevised,
      rows_duplicate: report.rowsDuplicate,
      rows_quarantined: report.rowsQuarantined,
      coinlake_version: coinlakeVersion,
    },
  ])
}

/**
 * Ends quarantined rows of older answers when a load brings a newer answer to their whole stretch. Rows of the rule
 * `not_in_answer` stay open, because they show since when an id is gone.
 */
async function endRefetched(
  { writer }: StoreContext,
  { runId, loadId, nowMs }: LoadIds,
  slices: readonly StagedSlice[],
): Promise<void> {
  const open = `ended_at IS NULL AND rule <> 'not_in_answer' AND load_id < $loadId`
  // Most warehouses have no such row. Then no load searches all slices.
  const [first] = await writer.rows(`SELECT 1 FROM _quarantine WHERE ${open} LIMIT 1`, { loadId })
  if (first === undefined) return
  const ordinals = JSON.stringify(slices.map(({ planned }) => planned.ordinal))
  await writer.run(
    `UPDATE _quarantine SET ended_at = $now, ended_as = 'refetched'
     WHERE ${open} AND (slice_id, load_id) IN (
       SELECT older.slice_id, older.load_id FROM _slices older
       JOIN _slices newer USING (dataset, entity, vs_currency, granularity)
       WHERE newer.run_id = $runId AND list_contains($ordinals::JSON::BIGINT[], newer.ordinal)
         AND newer.from_at <= older.from_at AND older.to_at <= newer.to_at)`,
    { runId, loadId, ordinals, now: instant(nowMs) },
  )
}

async function setOutcomes(
  { writer }: StoreContext,
  { runId, nowMs }: LoadIds,
  slices: readonly StagedSlice[],
  counts: readonly MergeCounts[],
): Promise<void> {
  const outcomes = slices.map((slice) => outcomeRow(slice, counts))
  const columns = slicesTable.columns.filter(({ name }) => name in outcomes[0]!)
  const names = columns.map(({ name }) => name)
  await writer.run(
    `CREATE OR REPLACE TEMP TABLE load_outcomes AS SELECT ${names.join(', ')} FROM _slices LIMIT 0`,
  )
  await appendRecords(writer.connection, { name: 'load_outcomes', columns }, outcomes)
  const changed = names.filter((name) => name !== 'ordinal')
  await writer.run(
    `UPDATE _slices SET ${changed.map((name) => `${name} = o.${name}`).join(', ')}, updated_at = $now
     FROM load_outcomes o WHERE _slices.run_id = $runId AND _slices.ordinal = o.ordinal`,
    { runId, now: instant(nowMs) },
  )
}

function outcomeRow(slice: StagedSlice, counts: readonly MergeCounts[]): Row {
  const { pages, planned, settlement } = slice
  const repeats = sum(counts.map((count) => count.duplicateBySlice.get(planned.ordinal) ?? 0))
  const rowCount = stagedRowCount(slice) - repeats
  const quarantined = sum(pages.map((page) => page.rejected.length))
  const granularities = pages.map((page) => page.deliveredGranularity)
  return {
    ordinal: planned.ordinal,
    state: stateOf(slice, quarantined),
    settled_to: settlement.settledToMs,
    recheck_at: settlement.recheckAtMs,
    delivered_granularity: granularities.find((granularity) => granularity !== null) ?? null,
    pages: pages.length,
    calls: sum(pages.map((page) => page.calls)),
    items: sum(pages.map((page) => page.itemCount)),
    told_items: toldItems(pages),
    moved: sum(counts.map((count) => count.movedBySlice.get(planned.ordinal) ?? 0)),
    row_count: rowCount,
    gaps: rowCount + quarantined === 0 ? null : gapsText(slice),
    outside_slice: sum(pages.map((page) => page.counts.outsideSlice)),
    duplicate: sum(pages.map((page) => page.counts.duplicate)) + repeats,
    future: sum(pages.map((page) => page.counts.future)),
    quarantined,
    unknown_paths: unknownPaths(pages),
    fetched_at: slice.fetchedAtMs,
  }
}

/** Gaps in the settled part of the slice, as ISO 8601 intervals. */
function gapsText(slice: StagedSlice): string | null {
  const { pages, settlement } = slice
  const gaps = pages.flatMap((page) => page.gaps ?? [])
  const texts = clip(gaps, { fromMs: -Infinity, toMs: settlement.settledToMs }).map(
    ({ fromMs, toMs }) => [fromMs, toMs].map((ms) => new Date(ms).toISOString()).join('/'),
  )
  return texts.length === 0 ? null : texts.join(' ')
}

/** The source's count on the last page of each step, summed over the steps; null: no page has one. */
function toldItems(pages: readonly StagedPage[]): number | null {
  const bySteps = new Map<number, number>()
  for (const { key, toldItems } of pages) {
    if (toldItems !== null && toldItems !== undefined) bySteps.set(key.step, toldItems)
  }
  return bySteps.size === 0 ? null : sum([...bySteps.values()])
}

/** Provisional comes first: an answer that is empty now may have rows once it is settled. */
function stateOf(slice: StagedSlice, quarantined: number): SliceState {
  if (slice.settlement.settledToMs < slice.planned.toMs) return 'provisional'
  return stagedRowCount(slice) === 0 && quarantined === 0 ? 'empty' : 'loaded'
}

/** Counts of unknown JSON paths over all pages, as JSON text; null: there are none. */
function unknownPaths(pages: readonly StagedPage[]): string | null {
  const counts: Record<string, number> = {}
  for (const page of pages) {
    for (const [path, count] of Object.entries(page.unknownPaths)) {
      counts[path] = (counts[path] ?? 0) + count
    }
  }
  return Object.keys(counts).length === 0 ? null : JSON.stringify(counts)
}

/** Stable name of a page. A page that was loaded twice would show as two rows of one id. */
export function pageId({ key }: StagedPage): string {
  return `${key.sliceId}-g${key.generation}-s${key.step}-p${key.page}`
}

function requestRow(page: StagedPage, runId: string): Row {
  return {
    request_id: pageId(page),
    run_id: runId,
    slice_id: page.key.sliceId,
    step: page.key.step,
    page: page.key.page,
    operation: page.operation,
    url: page.url,
    status: page.status,
    bytes: page.body.sizeBytes,
    rows: sum(page.tables.map(({ rowCount }) => rowCount)),
    items: page.itemCount,
    body_sha256: page.body.sha256,
    requested_at: page.requestedAtMs,
    duration_ms: Math.round(page.durationMs),
    calls: page.calls,
  }
}

function quarantineRows(page: StagedPage, loadId: number): Row[] {
  return page.rejected.map((row, index) => ({
    quarantine_id: `${pageId(page)}-${index}`,
    dataset: page.slice.dataset,
    slice_id: page.key.sliceId,
    rule: row.rule,
    path: row.path,
    raw: row.raw,
    url: page.url,
    fetched_at: page.fetchedAtMs,
    load_id: loadId,
  }))
}

/** Marks the months that a load changed for the next publication. */
export async function markPartitions(
  { writer }: StoreContext,
  counts: readonly MergeCounts[],
  loadId: number,
): Promise<void> {
  for (const { table, months } of counts) {
    if (months.size === 0) continue
    await writer.run(
      `DELETE FROM _partitions WHERE table_name = $table
         AND list_contains($months::JSON::VARCHAR[], month)`,
      { table, months: JSON.stringify([...months]) },
    )
    const records = [...months].map((month) => ({ table_name: table, month, load_id: loadId }))
    await appendRecords(writer.connection, partitionsTable, records)
  }
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
