import { join } from 'node:path'
import { setImmediate as otherWork } from 'node:timers/promises'
import { sweepTemp } from '../config/atomic-file.ts'
import { CoinlakeError } from '../config/coinlake-error.ts'
import { compressBody } from './body-encoding.ts'
import { expireDaily, type KnownSlices, type StagePlace } from './expire-stage.ts'
import { encodePage, type KeptPage } from './page-file.ts'
import { damagedPath, pagePath, sliceName } from './page-path.ts'
import type { PageKey, PageStage, PageToStage, StagedPage, TableRows } from './page-stage.ts'
import { oldFilesOf, readPage } from './read-page.ts'
import { recentRows, rowsName } from './recent-rows.ts'
import { requireRoom } from './room.ts'
import { isS3 } from './s3-files.ts'
import { sha256 } from './sha256.ts'
import { sharedFiles } from './shared-files.ts'
import { StageError } from './stage-error.ts'

/** Makes the rows of a kept answer by today's rules, and the page with their counts. */
export type Remake = (
  page: StagedPage,
  body: Uint8Array,
) => { page: StagedPage; tables: TableRows[] }

export interface StageOptions extends StagePlace {
  remake: Remake
  /** true: answers are only read, and damaged ones stay. */
  isArchive?: boolean
  /** Answers that may be on their way at once. Default 8. */
  inFlight?: number
  onDamaged?: (note: { key: PageKey; reason: string; movedTo: string | null }) => void
}

export interface Stage extends PageStage {
  /** Removes expired files (expireStage) at most once a day, because it looks at every kept answer. */
  expireDaily(ledger: KnownSlices): Promise<void>
}

/**
 * The page store, in a folder or in a bucket. A page is one file, a line of facts and then the body (page-file.ts):
 * `pages/<2 digits>/<slice>-g<generation>-s<step>p<page>.page`. The file is there whole or not at all, so no process
 * needs a lock. The rows of a page stay in memory until their load. Their file can make them again. Only the ledger
 * knows whether a page was loaded. Pages that fail a checksum go to `damaged/` and count as absent.
 *
 * @throws StageError from every method that writes; RangeError for a malformed slice id
 */
export function openStage(options: StageOptions): Stage {
  const { dir, keep, sharedBy, remake, isArchive = false, inFlight = 8 } = options
  let largestBytes = 0
  const files = sharedFiles(dir)
  const recent = recentRows()

  async function moveAside(key: PageKey, reason: string): Promise<void> {
    if (!isArchive) {
      for (const name of [pagePath(key), ...(await oldFilesOf(files, key))]) {
        await files.move(name, damagedPath(key, name))
      }
    }
    const movedTo = isArchive ? null : `${dir}/damaged/${sliceName(key)}`
    options.onDamaged?.({ key, reason, movedTo })
  }

  /** The page, if its line of facts is undamaged. */
  async function readKept(key: PageKey): Promise<KeptPage | null> {
    const kept = await readPage(files, key)
    if (typeof kept !== 'string') return kept
    await moveAside(key, kept)
    return null
  }

  /** The page if its body is undamaged. `use` gets the body of a page without rows in memory. */
  async function wholePage(
    key: PageKey,
    use: (page: StagedPage, body: Buffer) => StagedPage,
  ): Promise<StagedPage | null> {
    const kept = await readKept(key)
    if (kept === null || recent.has(rowsName(kept.page))) return kept?.page ?? null
    // A load after a restart parses hundreds of bodies.
    await otherWork()
    const body = await kept.body()
    let damage = typeof body === 'string' ? body : ''
    try {
      if (typeof body !== 'string') return use(kept.page, body)
    } catch (error) {
      if (!(error instanceof CoinlakeError)) throw error
      damage = error.message
    }
    await moveAside(key, damage)
    return null
  }

  /** The body of this page. Another answer to the same request may have replaced the file. */
  async function readRaw(page: StagedPage): Promise<Buffer> {
    const kept = await readKept(page.key)
    const isSame = kept?.page.body.sha256 === page.body.sha256
    const body = isSame ? await kept.body() : 'it is gone'
    if (typeof body !== 'string') return body
    if (isSame) await moveAside(page.key, body)
    throw new StageError(`staged page is damaged: ${dir}/${pagePath(page.key)}: ${body}`, {
      code: 'STAGE_DAMAGED',
      hint: 'Run the same command again: it fetches the page anew, because this one was moved aside.',
    })
  }

  function remember({ page, tables }: ReturnType<Remake>): StagedPage {
    recent.set(rowsName(page), tables)
    return page
  }

  /** Puts the rows of a page into memory, for its load. Listings for the choice of coins fill no table. */
  function withRows(page: StagedPage, body: Buffer): StagedPage {
    return page.tables.length > 0 ? remember(remake(page, body)) : page
  }

  async function write({ facts, rawBody, encoded, tables }: PageToStage): Promise<StagedPage> {
    const kept = encoded ?? (await compressBody(rawBody))
    const page: StagedPage = {
      ...facts,
      body: {
        encoding: kept.encoding,
        keptBytes: kept.bytes.byteLength,
        sizeBytes: rawBody.byteLength,
        sha256: sha256(rawBody),
      },
      tables: tables.map(({ table, rows }) => ({ table, rowCount: rows.numRows })),
    }
    const file = encodePage(page, kept)
    await files.write(pagePath(page.key), file, 'stage.rename')
    largestBytes = Math.max(largestBytes, file.byteLength)
    return remember({ page, tables })
  }

  return {
    find: (key) => wholePage(key, (page) => page),
    write,
    requireRoom: () => (isS3(dir) ? Promise.resolve() : requireRoom(dir, largestBytes, inFlight)),
    readRaw,
    async findSlice(sliceId, generation) {
      const pages: StagedPage[] = []
      for (let next: StagedPage['next'] = { step: 0, page: 1 }; next !== null;) {
        const page = await wholePage({ sliceId, generation, ...next }, withRows)
        if (page === null) return null
        pages.push(page)
        next = page.next
      }
      return pages
    },
    async readTable(page, table) {
      const tables = recent.get(rowsName(page)) ?? remake(page, await readRaw(page)).tables
      const found = tables.find((one) => one.table === table)
      if (found === undefined) throw new RangeError(`${page.url} has no table ${table}`)
      recent.set(rowsName(page), tables)
      return found.rows
    },
    async release(pages) {
      for (const page of pages) recent.delete(rowsName(page))
      if (keep === 'none' && !isArchive) await files.remove(pages.map(({ key }) => pagePath(key)))
    },
    sweep: () => (isS3(dir) ? Promise.resolve() : sweepTemp(join(dir, 'tmp'))),
    expireDaily: (ledger) => expireDaily(files, { dir, keep, sharedBy }, ledger),
  }
}
