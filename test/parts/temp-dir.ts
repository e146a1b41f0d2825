import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** A folder, gone after the test; for all tests of a file or group: `tempDir(afterAll)`. */
export function tempDir(whenDone: (undo: () => void) => void = onTestFinished): string {
  const dir = mkdtempSync(join(tmpdir(), 'coinlake-test-'))
  whenDone(() => rmSync(dir, { recursive: true, force: true }))
  return dir
}
