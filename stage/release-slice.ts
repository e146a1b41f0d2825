import { rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { crashPoint } from '../config/crash-point.ts'
import { ignoreMissing, namesOfPage, pagesIn, readIfThere, removeIfEmpty } from './page-files.ts'
import { pageName } from './page-path.ts'
import { decodeRecord } from './page-record.ts'
import type { PageKey } from './page-stage.ts'

/**
 * Lets go of the pages of a loaded slice: Arrow files go, bodies stay with their record as
 * `.loaded.json`, or go too. May be killed between any two steps and done again: it goes by the files
 * that are there, not by records, so that what a killed one left is found. A body that no record names
 * is the rest of a killed writer and goes.
 *
 * @param onReleased told of every path: nobody reads it as a staged one any more
 * @param discard takes away a file that nobody needs
 */
export async function releaseSlice(
  folder: string,
  slice: Pick<PageKey, 'sliceId' | 'generation'>,
  {
    isKept,
    onReleased,
    discard,
  }: {
    isKept: boolean
    onReleased: (path: string) => void
    discard: (path: string) => Promise<void>
  },
): Promise<void> {
  for (const key of await pagesIn(folder, slice)) {
    const record = join(folder, `${pageName(key)}.json`)
    const loaded = join(folder, `${pageName(key)}.loaded.json`)
    crashPoint('stage.release.before')
    // The record first: a page without its Arrow files must not look staged.
    if (isKept) await rename(record, loaded).catch(ignoreMissing)
    else await rm(record, { force: true })
    crashPoint('stage.release.after')
    const archived = isKept ? await archivedNames(loaded, key) : () => false
    for (const name of await namesOfPage(folder, key)) {
      onReleased(join(folder, name))
      if (!archived(name)) await discard(join(folder, name))
    }
  }
  if (!isKept) await removeIfEmpty(folder, dirname(folder))
}

/** Which files of a page stay: its record and the body that this names. All but rows, if it cannot be read. */
async function archivedNames(loaded: string, key: PageKey): Promise<(name: string) => boolean> {
  const text = await readIfThere(loaded)
  if (text === null) return () => false
  const page = decodeRecord(text.toString('utf8'), key)
  if (typeof page === 'string') return (name) => !name.endsWith('.arrow')
  return (name) => name === page.raw.name || name === basename(loaded)
}
