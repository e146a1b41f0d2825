import { join } from 'node:path'
import { beforeEach } from 'vitest'
import { tempDir } from '../../parts/temp-dir.ts'

/** A fresh folder for each test of a file, removed after it. */
export function tempFolder(): { path(name: string): string } {
  let folder = ''
  beforeEach(() => {
    folder = tempDir()
  })
  return { path: (name) => join(folder, name) }
}
