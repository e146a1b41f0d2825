import { readdirSync } from 'node:fs'
import { join, relative } from 'node:path'

/** The files of a folder and of all folders in it: paths from the folder on, sorted. */
export function filesUnder(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .toSorted()
}
