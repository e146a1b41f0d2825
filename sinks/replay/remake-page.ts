import type { Dataset, RequestStep } from '../../datasets/dataset.ts'
import type { Remake } from '../../stage/open-stage.ts'
import type { StagedPage } from '../../stage/page-stage.ts'
import { StageError } from '../../stage/stage-error.ts'

/** The facts that make a request, besides the slice. */
export interface RemakeContext {
  datasets: readonly Dataset[]
  /** The same value as in fetches, because it decides the requests of a slice. */
  maxHistoryDays: number | null
}

/**
 * Makes the function that makes rows of a kept answer by today's rules, without a call. That function throws
 * - StageError REPLAY_UNKNOWN when no dataset of today would request the page
 * - SourceDataError when the body as a whole does not have today's shape
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
      itemsBefore: itemsBefore(page, step),
      observedAtMs: page.observedAtMs,
      nowMs,
      isKept: true,
    })
    // A page that repeated the previous one ended its listing at the fetch and counted no items. Such a page gives no
    // rows.
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

/** Records of an older coinlake have no `itemsSoFar`. Those runs asked for full pages. */
function itemsBefore({ key, itemsSoFar, itemCount }: StagedPage, { perPage }: RequestStep): number {
  return itemsSoFar === undefined ? (key.page - 1) * perPage : itemsSoFar - itemCount
}
