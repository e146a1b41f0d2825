import { tableFromIPC, tableToIPC } from 'apache-arrow'
import { compressBody, decompressBody } from './body-compression.ts'
import type { DiskStage } from './disk-stage.ts'
import { ABANDONED_AFTER_MS } from './expire-stage.ts'
import type { Outlived } from './expire-stage.ts'
import { checkedTableName, pageName, sliceFolder } from './page-path.ts'
import { decodeRecord, encodeRecord } from './page-record.ts'
import { findSlice } from './find-slice.ts'
import type { PageKey, StagedFile, StagedPage } from './page-stage.ts'
import { s3Files } from './s3-files.ts'
import type { S3File } from './s3-files.ts'
import { stagedFile } from './staged-file.ts'
import { StageError } from './stage-error.ts'
import { contentFault } from './verified-files.ts'

const SLICE_FOLDER = /^pages\/[0-9a-f]{2}\/([0-9a-f]{20})-g(\d+)\//

export interface S3StageOptions {
  /** `s3://bucket/prefix`. */
  place: string
  /** How long raw bodies stay after their load. */
  keep: 'forever' | 'none' | number
  onDamaged?: (note: { key: PageKey; reason: string; movedTo: string }) => void
}

/**
 * The page store in a bucket, for workers on several machines: the names of diskStage. An object is there
 * whole or not at all, and a page is there once its record is, which is written last: half an upload is
 * nothing, and goes when it is a month old. A page that fails its checksum loses its record.
 *
 * @throws StageError STAGE_S3_DENIED, STAGE_S3_UNREACHABLE; RangeError for a key that is not one of ours
 */
export function s3Stage({ place, keep, onDamaged }: S3StageOptions): DiskStage {
  const files = s3Files(place)
  const pathOf = ({ key }: Pick<StagedPage, 'key'>, name: string): string =>
    `${sliceFolder(key.sliceId, key.generation)}/${name}`

  async function find(key: PageKey): Promise<StagedPage | null> {
    const name = `${pageName(key)}.json`
    const text = await files.read(pathOf({ key }, name))
    if (text === null) return null
    const page = decodeRecord(text.toString('utf8'), key)
    if (typeof page !== 'string') return page
    await setAside(key, page)
    return null
  }

  async function setAside(key: PageKey, reason: string): Promise<void> {
    const name = `${pageName(key)}.json`
    const text = await files.read(pathOf({ key }, name))
    if (text === null) return
    const movedTo = `damaged/${key.sliceId}-g${key.generation}/${name}`
    await files.write(movedTo, text)
    await files.remove([pathOf({ key }, name)])
    onDamaged?.({ key, reason, movedTo: `${place}/${movedTo}` })
  }

  async function readChecked(page: StagedPage, file: StagedFile): Promise<Buffer> {
    const path = pathOf(page, file.name)
    const content = await files.read(path)
    const fault = content === null ? `${file.name} is missing` : contentFault(content, file)
    if (content !== null && fault === null) return content
    await setAside(page.key, fault ?? '')
    throw new StageError(`staged page is damaged: ${place}/${path}: ${fault}`, {
      code: 'STAGE_DAMAGED',
      hint: 'Run the same command again: the page was set aside and is fetched anew.',
    })
  }

  async function release(sliceId: string, generation: number): Promise<void> {
    await releaseFiles(await files.list(`${sliceFolder(sliceId, generation)}/`))
  }

  /** @param listed all objects of one slice */
  async function releaseFiles(listed: readonly S3File[]): Promise<void> {
    const names = listed.map(({ name }) => name)
    const records = names.filter((name) => name.endsWith('.json') && !isLoaded(name))
    if (keep === 'none') {
      await files.remove(records)
      await files.remove(names.filter((name) => !records.includes(name)))
      return
    }
    for (const record of records) {
      const text = await files.read(record)
      if (text !== null) await files.write(record.replace(/\.json$/, '.loaded.json'), text)
    }
    // The records first: a page without its rows must not look staged.
    await files.remove(records)
    await files.remove(names.filter((name) => name.endsWith('.arrow')))
  }

  return {
    find,
    findSlice: (sliceId, generation) => findSlice(find, sliceId, generation),
    async write({ facts, rawBody, tables }) {
      const name = pageName(facts.key)
      const put = async (kind: string, content: Uint8Array): Promise<StagedFile> => {
        const file = stagedFile(name, kind, content)
        await files.write(pathOf(facts, file.name), content)
        return file
      }
      const raw = await put('raw.zst', await compressBody(rawBody))
      const staged = await Promise.all(
        tables.map(async ({ table, rows }) => ({
          ...(await put(`${checkedTableName(table)}.arrow`, tableToIPC(rows, 'stream'))),
          table,
          rowCount: rows.numRows,
        })),
      )
      const uncompressedBytes = rawBody.byteLength
      const page: StagedPage = { ...facts, raw: { ...raw, uncompressedBytes }, tables: staged }
      await files.write(pathOf(facts, `${name}.json`), encodeRecord(page))
      return page
    },
    async readTable(page, table) {
      const file = page.tables.find((staged) => staged.table === table)
      if (file === undefined) throw new RangeError(`page ${page.raw.name} has no table ${table}`)
      return tableFromIPC(await readChecked(page, file))
    },
    readRaw: async (page) => decompressBody(await readChecked(page, page.raw)),
    release,
    // Nothing is there before it is whole, so writers leave nothing behind.
    sweep: async () => undefined,
    close: async () => undefined,
    async expire(_nowMs, isLoadedSlice, { isDryRun = false, onOutlived } = {}) {
      let removed = 0
      const remove = async (outlived: readonly S3File[], why: Outlived['why']): Promise<void> => {
        for (const { name, sizeBytes } of outlived) {
          onOutlived?.({ why, path: `${place}/${name}`, sizeBytes })
        }
        if (!isDryRun) await files.remove(outlived.map(({ name }) => name))
      }
      const listed = await files.list('pages/')
      const slices = Map.groupBy(listed, ({ name }) => SLICE_FOLDER.exec(name)?.[0] ?? '')
      for (const [folder, found] of slices) {
        const [, sliceId, generation] = SLICE_FOLDER.exec(folder) ?? []
        if (sliceId === undefined) continue
        const isUnreleased = found.some(({ name }) => name.endsWith('.json') && !isLoaded(name))
        if (!isDryRun && isUnreleased && (await isLoadedSlice(sliceId, Number(generation)))) {
          await releaseFiles(found)
          continue
        }
        const isKept = found.some(({ name }) => isLoaded(name)) && !isUnreleased
        const maxAgeMs = isKept ? keptMs(keep) : ABANDONED_AFTER_MS
        // The service's clock wrote the times, so they are held against the machine's and not an injected one.
        const newestMs = Math.max(...found.map(({ modifiedMs }) => modifiedMs))
        if (Date.now() - newestMs <= maxAgeMs) continue
        await remove(found, isKept ? 'kept_long_enough' : 'abandoned')
        removed += found.filter(({ name }) => name.endsWith('.json')).length
      }
      const damaged = await files.list('damaged/')
      const old = damaged.filter(({ modifiedMs }) => Date.now() - modifiedMs > ABANDONED_AFTER_MS)
      await remove(old, 'damaged')
      return removed
    },
  }
}

function isLoaded(name: string): boolean {
  return name.endsWith('.loaded.json')
}

function keptMs(keep: S3StageOptions['keep']): number {
  if (keep === 'forever') return Infinity
  return keep === 'none' ? 0 : keep
}
