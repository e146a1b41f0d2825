import type { Dataset } from '../../datasets/dataset.ts'
import type { Remake } from '../../stage/open-stage.ts'
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
    const { slice, key, observedAtMs, fetchedAtMs: nowMs } = page
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
    const json: unknown = JSON.parse(new TextDecoder().decode(body))
    const itemsBefore = page.itemsSoFar - page.itemCount
    const context = { slice, step, itemsBefore, observedAtMs, nowMs, isKept: true as const }
    const { tables: made, ...facts } = dataset.toTables(json, context)
    // A page that repeated the previous one ended its listing at the fetch and counted no items. Such a page gives no
    // rows.
    const isEnd = page.itemCount === 0 && facts.itemCount > 0
    const tables = isEnd ? made.map(({ table, rows }) => ({ table, rows: rows.slice(0, 0) })) : made
    const rowCounts = tables.map(({ table, rows }) => ({ table, rowCount: rows.numRows }))
    return { page: { ...page, ...(isEnd ? {} : facts), tables: rowCounts }, tables }
  }
}
