import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Slice } from '../datasets/dataset.ts'
import { decompressBody } from './body-compression.ts'
import { ignoreMissing, readIfThere } from './page-files.ts'
import { pageName, sliceFolder } from './page-path.ts'
import { decodeRecord } from './page-record.ts'
import type { StagedPage } from './page-stage.ts'
import { StageError } from './stage-error.ts'
import { contentFault } from './verified-files.ts'

const SLICE_FOLDER = /^([0-9a-f]{20})-g(\d+)$/
const RECORD = /^s(\d+)p(\d+)\.(?:loaded\.)?json$/

/** A slice as far as its pages are kept in the stage, loaded or not. */
export interface ArchivedSlice {
  sliceId: string
  generation: number
  slice: Slice
  /** In order: steps, then pages; up to the first that is not there. */
  pages: StagedPage[]
  /** Whether the last page is there, and with it all. */
  isWhole: boolean
  /** When the source answered: the newest page. */
  fetchedAtMs: number
}

/**
 * Every slice whose first page the stage still has, as it was answered; oldest answer first.
 *
 * @param onUnreadable told of each folder that keeps pages of a slice which nothing names any more: the
 * record of its first page is damaged or gone
 */
export async function archivedSlices(
  dir: string,
  onUnreadable: (folder: string) => void = () => undefined,
): Promise<ArchivedSlice[]> {
  const found: ArchivedSlice[] = []
  for (const digits of await list(join(dir, 'pages'))) {
    for (const name of await list(join(dir, 'pages', digits))) {
      const [, sliceId, generation] = SLICE_FOLDER.exec(name) ?? []
      if (sliceId === undefined) continue
      const slice = await readSlice(dir, sliceId, Number(generation))
      if (slice === 'unreadable') onUnreadable(join(dir, 'pages', digits, name))
      else if (slice !== null) found.push(slice)
    }
  }
  return found.sort(
    (a, b) =>
      a.fetchedAtMs - b.fetchedAtMs ||
      a.generation - b.generation ||
      (a.sliceId < b.sliceId ? -1 : 1),
  )
}

/** The body of a page as it came. @throws StageError STAGE_DAMAGED when it is gone or not what it was */
export async function archivedBody(dir: string, page: StagedPage): Promise<Uint8Array> {
  const path = join(dir, sliceFolder(page.key.sliceId, page.key.generation), page.raw.name)
  const content = await readIfThere(path)
  const fault = content === null ? 'it is not there' : contentFault(content, page.raw)
  if (content !== null && fault === null) return decompressBody(content)
  throw new StageError(`a kept answer cannot be read: ${path}: ${fault}`, {
    code: 'STAGE_DAMAGED',
    hint: 'What it held is fetched anew by `coinlake backfill`.',
  })
}

async function readSlice(
  dir: string,
  sliceId: string,
  generation: number,
): Promise<ArchivedSlice | 'unreadable' | null> {
  const folder = join(dir, sliceFolder(sliceId, generation))
  const records = new Map<string, string>()
  for (const name of await list(folder)) {
    const [, step, page] = RECORD.exec(name) ?? []
    // A page that waits to be loaded is newer than the record of one that was.
    const key = `s${step}p${page}`
    if (step !== undefined && !(records.get(key)?.endsWith('.loaded.json') === false)) {
      records.set(key, name)
    }
  }
  const pages: StagedPage[] = []
  let next: StagedPage['next'] = { step: 0, page: 1 }
  while (next !== null) {
    const name = records.get(pageName(next))
    const text = name === undefined ? null : await readIfThere(join(folder, name))
    const page = decodeRecord(text?.toString('utf8') ?? '', { sliceId, generation, ...next })
    if (typeof page === 'string') break
    pages.push(page)
    next = page.next
  }
  const [first] = pages
  if (first === undefined) return records.size > 0 ? 'unreadable' : null
  const fetchedAtMs = Math.max(...pages.map((page) => page.fetchedAtMs))
  return { sliceId, generation, slice: first.slice, pages, isWhole: next === null, fetchedAtMs }
}

async function list(folder: string): Promise<string[]> {
  return (await readdir(folder).catch(ignoreMissing)) ?? []
}
