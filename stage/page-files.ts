import { readdirSync } from 'node:fs'
import { readFile, readdir, rmdir } from 'node:fs/promises'
import { pageName } from './page-path.ts'
import type { PageKey } from './page-stage.ts'

/** Names of all files of a page in its folder, records first. [] when the folder is not there. */
export async function namesOfPage(folder: string, key: PageKey): Promise<string[]> {
  return namesAmong(await namesIn(folder), key)
}

/** Names of all files of a page among those of its folder, records first. */
export function namesAmong(names: readonly string[], key: PageKey): string[] {
  const prefix = `${pageName(key)}.`
  return names
    .filter((name) => name.startsWith(prefix))
    .sort((a, b) => Number(b.endsWith('.json')) - Number(a.endsWith('.json')))
}

/** Keys of all pages of a slice that have a file in its folder, whole or not. */
export async function pagesIn(
  folder: string,
  slice: Pick<PageKey, 'sliceId' | 'generation'>,
): Promise<PageKey[]> {
  return pagesAmong(await namesIn(folder), slice)
}

const PAGE_FILE = /^s(\d+)p(\d+)\./

/** Keys of all pages of a slice that have a file among those of its folder. */
export function pagesAmong(
  names: readonly string[],
  slice: Pick<PageKey, 'sliceId' | 'generation'>,
): PageKey[] {
  const pages = new Map<string, PageKey>()
  for (const name of names) {
    const [prefix, step, page] = PAGE_FILE.exec(name) ?? []
    if (prefix === undefined) continue
    pages.set(prefix, { ...slice, step: Number(step), page: Number(page) })
  }
  return [...pages.values()]
}

/** Names in a folder; [] when it is not there. */
export async function namesIn(folder: string): Promise<string[]> {
  return (await readdir(folder).catch(ignoreMissing)) ?? []
}

/**
 * The same in this thread: of a hundred thousand small folders each takes 20 microseconds so, and ten times
 * as much of this thread alone when it is handed over.
 */
export function namesNow(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch (error) {
    return ignoreMissing(error as NodeJS.ErrnoException) ?? []
  }
}

/** Content of a file, null when it is not there. */
export async function readIfThere(path: string): Promise<Buffer | null> {
  return (await readFile(path).catch(ignoreMissing)) ?? null
}

/** Removes folders, inner first, as far as they are empty. */
export async function removeIfEmpty(...folders: readonly string[]): Promise<void> {
  for (const folder of folders) {
    const isGone = await rmdir(folder).then(
      () => true,
      () => false,
    )
    if (!isGone) return
  }
}

/** For `.catch`: what is not there needs no handling, every other fault does. */
export function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code === 'ENOENT') return undefined
  throw error
}
