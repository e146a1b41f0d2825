import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach } from 'vitest'

/** A fresh folder for each test of a file, removed after it. */
export function tempFolder(): { path(name: string): string } {
  let folder = ''
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'coinlake-store-'))
  })
  afterEach(() => {
    rmSync(folder, { recursive: true, force: true })
  })
  return { path: (name) => join(folder, name) }
}
