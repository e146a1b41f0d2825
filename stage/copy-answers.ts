import { link, mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { syncFolder } from '../config/atomic-file.ts'
import type { Slice } from '../datasets/dataset.ts'
import { damagedPath, PAGE_FOLDERS, pageAt } from './page-path.ts'
import type { KeptPage } from './page-file.ts'
import type { PageKey } from './page-stage.ts'
import { readPage } from './read-page.ts'
import { isS3 } from './s3-files.ts'
import { type SharedFile, sharedFiles, type SharedFiles } from './shared-files.ts'
import { keepUniverse, keptUniverses } from './universe-files.ts'

export interface CopyOptions {
  /** Files that were written later are not copied. Epoch ms by the clock of the source's file system or bucket. */
  untilMs?: number
  /** Whether answers of a slice are copied. Default: all. */
  mayCopy?: (slice: Slice) => boolean
  /** Whether a newer answer replaces the answer in the target. */
  mayReplace?: boolean
}

/** The result of a copy, counted in files. A page of an older coinlake has several. */
export interface CopiedAnswers {
  /** Files that the target had. */
  kept: number
  added: number
  addedBytes: number
  /** Pages of the source that fail their checksums and have no undamaged copy. */
  damaged: string[]
  /** Such pages that only the target had. They are in its folder `damaged` now, so the next copy does not meet them. */
  movedAside: string[]
}

/**
 * Copies the kept answers of one stage into another, with the kept choices of coins. A damaged copy in the target is
 * replaced. On one file system the copy is a hard link, because files of pages are never changed.
 *
 * @throws StageError when the target cannot be written
 */
export async function copyAnswers(
  from: string,
  to: string,
  { untilMs = Infinity, mayCopy = () => true, mayReplace = false }: CopyOptions = {},
): Promise<CopiedAnswers> {
  const source = sharedFiles(from)
  const target = sharedFiles(to)
  const copied: CopiedAnswers = { kept: 0, added: 0, addedBytes: 0, damaged: [], movedAside: [] }
  for (const folder of PAGE_FOLDERS) {
    const listed = await target.listDeep(folder)
    const writtenMsByName = new Map(listed.map((file) => [file.name, file.modifiedMs]))
    const linked = new Set<string>()
    for (const file of await source.listDeep(folder)) {
      const key = pageAt(file.name)
      if (key === null) continue
      const writtenMs = writtenMsByName.get(file.name)
      const isUpToDate = writtenMs !== undefined && (!mayReplace || writtenMs >= file.modifiedMs)
      if (isUpToDate && (await wholePage(target, key)) !== 'damaged') copied.kept += 1
      else {
        if (file.modifiedMs > untilMs) continue
        const page = await wholePage(source, key)
        // The page was moved aside or expired since the listing.
        if (page === null) continue
        if (page === 'damaged') copied.damaged.push(`${from}/${file.name}`)
        else if (!mayCopy(page.page.slice)) continue
        else {
          if (await linkFile(file)) linked.add(dirname(join(to, file.name)))
          else {
            const content = await source.read(file.name)
            if (content === null) continue
            await target.write(file.name, content)
          }
          copied.added += 1
          copied.addedBytes += file.sizeBytes
        }
      }
      writtenMsByName.delete(file.name)
    }
    // Files that only a backup has are checked too, because it may be the only place with these answers.
    for (const name of mayReplace ? writtenMsByName.keys() : []) {
      const key = pageAt(name)
      if (key === null || (await wholePage(target, key)) !== 'damaged') continue
      const aside = damagedPath(key, name)
      await target.move(name, aside)
      copied.movedAside.push(`${to}/${aside}`)
    }
    for (const path of linked) await syncFolder(path)
  }
  for (const universe of await keptUniverses(from)) await keepUniverse(to, universe)
  return copied

  async function linkFile({ name }: SharedFile): Promise<boolean> {
    if (isS3(from) || isS3(to)) return false
    const path = join(to, name)
    return await mkdir(dirname(path), { recursive: true, mode: 0o700 })
      .then(() => link(join(from, name), path))
      .then(
        () => true,
        () => false,
      )
  }
}

/** A page whose body passes its checksum; null: the stage does not have it. */
async function wholePage(files: SharedFiles, key: PageKey): Promise<KeptPage | 'damaged' | null> {
  const page = await readPage(files, key)
  if (page === null) return null
  return typeof page === 'string' || typeof (await page.body()) === 'string' ? 'damaged' : page
}
