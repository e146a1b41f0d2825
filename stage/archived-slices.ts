import type { Slice } from '../datasets/dataset.ts'
import { archiveFiles } from './archive-files.ts'
import type { ArchiveFiles, SliceFiles } from './archive-files.ts'
import { decompressBody } from './body-compression.ts'
import { pageName, sliceFolder } from './page-path.ts'
import { decodeRecord } from './page-record.ts'
import type { StagedPage } from './page-stage.ts'
import { StageError } from './stage-error.ts'
import { contentFault } from './verified-files.ts'

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

/** What of a stage is looked at. */
export interface ArchiveChoice {
  /** Ids of slices; absent: all. */
  only?: ReadonlySet<string>
  /**
   * Told of each folder that keeps pages of a slice which nothing names any more: the record of its first
   * page is damaged or gone.
   */
  onUnreadable?: (folder: string) => void
}

/**
 * Every slice whose first page the stage still has, as it was answered; oldest answer first.
 *
 * @param place a folder or `s3://bucket/prefix`
 */
export async function archivedSlices(
  place: string,
  { only, onUnreadable }: ArchiveChoice = {},
): Promise<ArchivedSlice[]> {
  const files = archiveFiles(place)
  const found: ArchivedSlice[] = []
  for (const one of await files.slices(only)) {
    const slice = await readSlice(files, one)
    if (slice === 'unreadable') onUnreadable?.(`${place}/${one.folder}`)
    else if (slice !== null) found.push(slice)
  }
  return found.sort(
    (a, b) =>
      a.fetchedAtMs - b.fetchedAtMs ||
      a.generation - b.generation ||
      (a.sliceId < b.sliceId ? -1 : 1),
  )
}

/** The body of a page as it came. @throws StageError STAGE_DAMAGED when it is gone or not what it was */
export async function archivedBody(place: string, page: StagedPage): Promise<Uint8Array> {
  const path = `${sliceFolder(page.key.sliceId, page.key.generation)}/${page.raw.name}`
  const content = await archiveFiles(place).read(path)
  const fault = content === null ? 'it is not there' : contentFault(content, page.raw)
  if (content !== null && fault === null) return decompressBody(content)
  throw new StageError(`a kept answer cannot be read: ${place}/${path}: ${fault}`, {
    code: 'STAGE_DAMAGED',
    hint: 'What it held is fetched anew by `coinlake backfill`.',
  })
}

async function readSlice(
  files: ArchiveFiles,
  { sliceId, generation, folder, names }: SliceFiles,
): Promise<ArchivedSlice | 'unreadable' | null> {
  const records = new Map<string, string>()
  for (const name of names) {
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
    const text = name === undefined ? null : await files.read(`${folder}/${name}`)
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
