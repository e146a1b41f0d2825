import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** A test's own hook; tests that run at the same time must pass theirs. */
export type OnTestFinished = typeof onTestFinished

/** A folder for one test, gone after it. */
export function tempDir(onFinished: OnTestFinished = onTestFinished): string {
  const dir = mkdtempSync(join(tmpdir(), 'coinlake-test-'))
  onFinished(() => rmSync(dir, { recursive: true, force: true }))
  return dir
}
