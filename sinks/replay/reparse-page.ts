import type { Dataset, PageTables, RequestStep } from '../../datasets/dataset.ts'
import { archivedBody } from '../../stage/archived-slices.ts'
import type { StagedPage } from '../../stage/page-stage.ts'
import { StageError } from '../../stage/stage-error.ts'

/** What a request is made from, apart from the slice. */
export interface ReparseContext {
  stageDir: string
  datasets: readonly Dataset[]
  /** As when the page was fetched: it decides which requests answer a slice. */
  maxHistoryDays: number | null
}

/**
 * What a kept answer becomes with the rules of today. Makes no call.
 *
 * @throws StageError STAGE_DAMAGED, REPLAY_UNKNOWN when no dataset of today would have asked for it;
 *   SourceDataError when the body as a whole has not the shape that is expected today
 */
export async function reparsePage(context: ReparseContext, page: StagedPage): Promise<PageTables> {
  const { slice, key, fetchedAtMs: nowMs } = page
  const dataset = context.datasets.find(({ name }) => name === slice.dataset)
  const { maxHistoryDays } = context
  const step = ([1, 2] as const)
    .map((attempt) => dataset?.steps(slice, { nowMs, attempt, maxHistoryDays })[key.step])
    .find((one) => one?.operation === page.operation)
  if (dataset === undefined || step === undefined) {
    throw new StageError(`no dataset of today asks for ${page.url} (${slice.dataset})`, {
      code: 'REPLAY_UNKNOWN',
      hint: 'Use the coinlake that fetched it.',
    })
  }
  const json: unknown = JSON.parse(
    new TextDecoder().decode(await archivedBody(context.stageDir, page)),
  )
  const tables = dataset.toTables(json, {
    slice,
    step,
    stepIndex: key.step,
    page: key.page,
    itemsBefore: itemsBefore(page, step),
    observedAtMs: page.observedAtMs,
    nowMs,
  })
  // A page that repeated the one before it was taken for the end of its listing.
  const wasEnd = page.itemCount === 0 && tables.itemCount > 0
  if (!wasEnd) return tables
  const none = tables.tables.map(({ table, rows }) => ({ table, rows: rows.slice(0, 0) }))
  return { ...tables, tables: none, rejected: [], itemCount: 0 }
}

/** Records of an older coinlake do not tell: it asked for full pages, and its places counted on them. */
function itemsBefore({ key, itemsSoFar, itemCount }: StagedPage, { perPage }: RequestStep): number {
  return itemsSoFar === undefined ? (key.page - 1) * perPage : itemsSoFar - itemCount
}
