import { mkdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { type Table as ArrowTable, tableFromIPC, tableToIPC } from 'apache-arrow'
import type { CrashPlace } from '../config/crash-point.ts'
import { compressBody, decompressBody } from './body-compression.ts'
import { sweepTemp, syncFolder, writeDurably } from './durable-file.ts'
import { expireStage } from './expire-stage.ts'
import type { ExpireOptions } from './expire-stage.ts'
import { namesOfPage, readIfThere } from './page-files.ts'
import { checkedTableName, pageName, sliceFolder } from './page-path.ts'
import { decodeRecord, encodeRecord } from './page-record.ts'
import { findSlice } from './find-slice.ts'
import type { PageKey, PageStage, PageToStage, StagedFile, StagedPage } from './page-stage.ts'
import { RecentRows } from './recent-rows.ts'
import { releaseSlice } from './release-slice.ts'
import { stagedFile } from './staged-file.ts'
import { SpareFiles } from './spare-files.ts'
import { StageError } from './stage-error.ts'
import { VerifiedFiles, contentFault } from './verified-files.ts'

/** Rows of two loads of charts, which are 65 bytes each. */
const RECENT_ROWS_BYTES = 32 * 1024 * 1024

type SliceKey = Pick<PageKey, 'sliceId' | 'generation'>

export interface DiskStageOptions {
  /** Absolute path of the stage's folder; made when the first page is written. */
  dir: string
  /** How long raw bodies stay after their load: for good, not at all, or this many ms. */
  keep: 'forever' | 'none' | number
  /** Told of every page that was moved aside, for the log. */
  onDamaged?: (note: { key: PageKey; reason: string; movedTo: string }) => void
}

export interface DiskStage extends PageStage {
  /**
   * Removes what has outlived `keep`, and pages that nobody loaded for a month; releases those of slices
   * that are loaded all the same. Returns how many pages were removed.
   */
  expire(
    nowMs: number,
    isLoaded: (sliceId: string, generation: number) => Promise<boolean>,
    options?: ExpireOptions,
  ): Promise<number>
  /** Leaves nothing behind that only this process would use. */
  close(): Promise<void>
}

/**
 * The page store on disk. A page is `<dir>/pages/<2 digits>/<slice>-g<generation>/s<step>p<page>` with
 * - `.<hash>.raw.zst`: the body as it came, compressed
 * - `.<hash>.<table>.arrow`: the rows of one table, Arrow IPC stream
 * - `.json`: the record, written last; while it is not there, the page is not there
 * - `.loaded.json`: the record after the load, when the Arrow files are gone and the body stays
 *
 * Writers, readers and other processes need no lock: names hold the content's hash and the record is
 * renamed into place. Pages that fail a checksum go to `<dir>/damaged/` and count as absent.
 *
 * @throws StageError from every method that writes; RangeError for a key that is not one of ours.
 */
export function diskStage(options: DiskStageOptions): DiskStage {
  const { dir, keep } = options
  const tempDir = join(dir, 'tmp')
  const verified = new VerifiedFiles()
  const recent = new RecentRows(RECENT_ROWS_BYTES)
  const spares = new SpareFiles(tempDir)

  const folderOf = (key: Pick<PageKey, 'sliceId' | 'generation'>): string =>
    join(dir, sliceFolder(key.sliceId, key.generation))
  const pathOf = (page: StagedPage, file: StagedFile): string => join(folderOf(page.key), file.name)

  async function find(key: PageKey): Promise<StagedPage | null> {
    const text = await readIfThere(join(folderOf(key), `${pageName(key)}.json`))
    if (text === null) return null
    const page = decodeRecord(text.toString('utf8'), key)
    const fault = typeof page === 'string' ? page : await firstFault(page)
    if (fault === null) return page as StagedPage
    await moveAside(key, fault)
    return null
  }

  async function firstFault(page: StagedPage): Promise<string | null> {
    for (const file of [page.raw, ...page.tables]) {
      const fault = await verified.check(pathOf(page, file), file)
      if (fault !== null) return fault
    }
    return null
  }

  function forget(path: string): void {
    verified.forget(path)
    recent.forget(path)
  }

  async function moveAside(key: PageKey, reason: string): Promise<void> {
    const folder = folderOf(key)
    const names = await namesOfPage(folder, key)
    // A page that is loaded is a record of what came, not an answer to anything: it stays.
    if (names[0]?.endsWith('.loaded.json') === true) return
    const movedTo = join(dir, 'damaged', `${key.sliceId}-g${key.generation}`)
    await mkdir(movedTo, { recursive: true, mode: 0o700 })
    // The record first: from then on the page is absent for everybody.
    for (const name of names) {
      forget(join(folder, name))
      await rename(join(folder, name), join(movedTo, name)).catch(() => undefined)
    }
    options.onDamaged?.({ key, reason, movedTo })
  }

  async function write({ facts, rawBody, tables }: PageToStage): Promise<StagedPage> {
    const folder = folderOf(facts.key)
    const name = pageName(facts.key)
    const put = async (
      kind: string,
      content: Uint8Array,
      place: CrashPlace,
    ): Promise<StagedFile> => {
      const file = stagedFile(name, kind, content)
      await writeDurably(join(folder, file.name), content, { tempDir, place, spares })
      verified.trust(join(folder, file.name), file)
      return file
    }
    const compressed = await compressBody(rawBody)
    const arrows = tables.map(({ table, rows }) => ({
      kind: `${checkedTableName(table)}.arrow`,
      content: tableToIPC(rows, 'stream'),
    }))
    const [raw, ...staged] = await allSettled([
      put('raw.zst', compressed, 'stage.body'),
      ...arrows.map(({ kind, content }) => put(kind, content, 'arrow')),
    ])
    const page: StagedPage = {
      ...facts,
      raw: { ...(raw as StagedFile), uncompressedBytes: rawBody.byteLength },
      tables: tables.map(({ table, rows }, i) => ({
        ...(staged[i] as StagedFile),
        table,
        rowCount: rows.numRows,
      })),
    }
    await writeDurably(join(folder, `${name}.json`), encodeRecord(page), {
      tempDir,
      place: 'stage.rename',
      spares,
    })
    await syncFolder(folder)
    for (const [i, { rows }] of tables.entries()) {
      const file = page.tables[i]!
      recent.keep(join(folder, file.name), rows, file.sizeBytes)
    }
    return page
  }

  async function readChecked(page: StagedPage, file: StagedFile): Promise<Buffer> {
    const content = await readIfThere(pathOf(page, file))
    const fault = content === null ? `${file.name} is missing` : contentFault(content, file)
    if (content !== null && fault === null) return content
    await moveAside(page.key, fault ?? '')
    throw new StageError(`staged page is damaged: ${pathOf(page, file)}: ${fault}`, {
      code: 'STAGE_DAMAGED',
      hint: 'Run the same command again: the page was moved aside and is fetched anew.',
    })
  }

  async function release(sliceId: string, generation: number): Promise<void> {
    const slice = { sliceId, generation }
    await releaseSlice(folderOf(slice), slice, {
      isKept: keep !== 'none',
      onReleased: forget,
      discard: (path) => spares.discard(path),
    })
  }

  return {
    find,
    write,
    findSlice: (sliceId, generation) => findSlice(find, sliceId, generation),
    async readTable(page, table): Promise<ArrowTable> {
      const file = page.tables.find((staged) => staged.table === table)
      if (file === undefined) throw new RangeError(`page ${page.raw.name} has no table ${table}`)
      const path = pathOf(page, file)
      const rows = recent.get(path)
      if (rows !== undefined && (await verified.check(path, file)) === null) return rows
      return tableFromIPC(await readChecked(page, file))
    },
    async readRaw(page) {
      return decompressBody(await readChecked(page, page.raw))
    },
    release,
    sweep: () => sweepTemp(tempDir),
    close: () => spares.drop(),
    expire(nowMs, isLoaded, expiring) {
      // Rests of a process that was killed between a load and its end.
      const releaseLoaded = async ({ sliceId, generation }: SliceKey): Promise<void> => {
        if (await isLoaded(sliceId, generation)) await release(sliceId, generation)
      }
      return expireStage(dir, keep, nowMs, releaseLoaded, expiring)
    },
  }
}

/** Waits for all, then raises the first fault: no write goes on behind the back of a failed one. */
async function allSettled<T>(work: readonly Promise<T>[]): Promise<T[]> {
  const results = await Promise.allSettled(work)
  return results.map((result) => {
    if (result.status === 'fulfilled') return result.value
    throw result.reason
  })
}
