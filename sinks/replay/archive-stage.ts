import type { Table as ArrowTable } from 'apache-arrow'
import type { ArchivedSlice } from '../../stage/archived-slices.ts'
import type { PageStage, StagedPage } from '../../stage/page-stage.ts'
import { RecentRows } from '../../stage/recent-rows.ts'
import { reparsePage } from './reparse-page.ts'
import type { ReparseContext } from './reparse-page.ts'
import { CoinlakeError } from '../../config/coinlake-error.ts'
import type { PageTables } from '../../datasets/dataset.ts'

/** The charts of one load, 65 bytes a row: a load looks for all of its slices before it reads the first. */
const RECENT_ROWS_BYTES = 64 * 1024 * 1024

/**
 * Kept answers as a load sees a stage: their rows are made anew from the bodies, and stay in memory for a
 * while. Reads only.
 *
 * @param onFault told of a slice that cannot be read; it counts as not staged then
 */
export function archiveStage(
  context: ReparseContext,
  slices: readonly ArchivedSlice[],
  onFault: (slice: ArchivedSlice, fault: CoinlakeError) => void,
): PageStage {
  const byName = new Map(slices.map((one) => [`${one.sliceId}-${one.generation}`, one]))
  const recent = new RecentRows(RECENT_ROWS_BYTES)
  const parsed = async (page: StagedPage): Promise<PageTables> => {
    const made = await reparsePage(context, page)
    for (const { table, rows } of made.tables) recent.keep(nameOf(page, table), rows, sizeOf(rows))
    return made
  }
  const readOnly = (): never => {
    throw new TypeError('an archive is only read')
  }
  return {
    async findSlice(sliceId, generation) {
      const found = byName.get(`${sliceId}-${generation}`)
      if (found === undefined || !found.isWhole) return null
      try {
        const pages: StagedPage[] = []
        for (const page of found.pages) pages.push(pageOf(page, await parsed(page)))
        return pages
      } catch (error) {
        if (!(error instanceof CoinlakeError)) throw error
        onFault(found, error)
        return null
      }
    },
    async readTable(page, table) {
      const known = recent.get(nameOf(page, table))
      if (known !== undefined) return known
      const found = (await parsed(page)).tables.find((one) => one.table === table)
      if (found === undefined) throw new RangeError(`page ${page.raw.name} has no table ${table}`)
      return found.rows
    },
    find: readOnly,
    write: readOnly,
    readRaw: readOnly,
    release: readOnly,
    sweep: readOnly,
  }
}

function nameOf({ key }: StagedPage, table: string): string {
  const { sliceId, generation, step, page } = key
  return [sliceId, generation, step, page, table].join(' ')
}

function sizeOf(rows: ArrowTable): number {
  return rows.batches.reduce((sum, { data }) => sum + data.byteLength, 0)
}

/** The page with what it becomes today; the end of a listing stays one. */
function pageOf(page: StagedPage, parsed: PageTables): StagedPage {
  const { counts, rejected, unknownPaths, itemCount, deliveredGranularity } = parsed
  const tables = parsed.tables.map(({ table, rows }) => ({
    ...page.raw,
    table,
    rowCount: rows.numRows,
  }))
  const wasEnd = page.itemCount === 0 && page.counts.duplicate > counts.duplicate
  const now = { counts, rejected, unknownPaths, itemCount, deliveredGranularity }
  return { ...page, ...(wasEnd ? {} : now), tables }
}
