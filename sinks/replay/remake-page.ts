import type { Dataset, RequestStep } from '../../datasets/dataset.ts'
import type { Remake } from '../../stage/open-stage.ts'
import type { StagedPage } from '../../stage/page-stage.ts'
import { StageError } from '../../stage/stage-error.ts'

/** The facts that make a request, besides the slice. */
export interface RemakeContext {
  datasets: readonly Dataset[]
  /** The same value that fetches use, because it decides which requests answer a slice. */
  maxHistoryDays: number | null
}

/**
 * Returns a function that makes rows of a kept answer by the rules of today, without a call.
 *
 * @throws (the function returned) StageError REPLAY_UNKNOWN when no dataset of today would request the page;
 *   SourceDataError when the body as a whole has not the shape that is expected today
 */
export function remakePages({ datasets, maxHistoryDays }: RemakeContext): Remake {
  return (page, body) => {
    const { slice, key, fetchedAtMs: nowMs } = page
    const dataset = datasets.find(({ name }) => name === slice.dataset)
    const step = ([1, 2] as const)
      .map((attempt) => dataset?.steps(slice, { nowMs, attempt, maxHistoryDays })[key.step])
      .find((one) => one?.operation === page.operation)
    if (dataset === undefined || step === undefined) {
      throw new StageError(`no dataset of today asks for ${page.url} (${slice.dataset})`, {
        code: 'REPLAY_UNKNOWN',
        hint: 'Use the version of coinlake that fetched the page.',
      })
    }
    const made = dataset.toTables(JSON.parse(new TextDecoder().decode(body)), {
      slice,
      step,
      stepIndex: key.step,
      page: key.page,
      itemsBefore: itemsBefore(page, step),
      observedAtMs: page.observedAtMs,
      nowMs,
      isKept: true,
    })
    // At the fetch, a page that repeated the previous page ended its listing and counted no items. Here such a page
    // gives no rows.
    const isEnd = page.itemCount === 0 && made.itemCount > 0
    const tables = isEnd
      ? made.tables.map(({ table, rows }) => ({ table, rows: rows.slice(0, 0) }))
      : made.tables
    const rowCounts = tables.map(({ table, rows }) => ({ table, rowCount: rows.numRows }))
    const { counts, rejected, unknownPaths, itemCount, deliveredGranularity, gaps } = made
    const remade = { counts, rejected, unknownPaths, itemCount, deliveredGranularity, gaps }
    return { page: { ...page, ...(isEnd ? {} : remade), tables: rowCounts }, tables }
  }
}

/** Records of an older coinlake have no `itemsSoFar`. That coinlake asked for full pages and counted places by them. */
function itemsBefore({ key, itemsSoFar, itemCount }: StagedPage, { perPage }: RequestStep): number {
  return itemsSoFar === undefined ? (key.page - 1) * perPage : itemsSoFar - itemCount
}
