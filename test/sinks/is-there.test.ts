import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { isThere } from '../../sinks/is-there.ts'
import { tempDir } from '../parts/temp-dir.ts'

const NOBODY = 65_534

test('a file in a folder that this user may not look into is not gone', () => {
  const dir = tempDir()
  const state = join(dir, 'state')
  const file = join(state, 'store.duckdb')
  expect(isThere(file)).toBe(false)
  mkdirSync(state)
  expect(isThere(file)).toBe(false)
  writeFileSync(file, 'a store')
  expect(isThere(file)).toBe(true)
  expect(isThere(join(file, 'below'))).toBe(false)
  chmodSync(state, 0)
  onTestFinished(() => chmodSync(state, 0o700))
  // Rights of files do not bind root.
  const isRoot = process.geteuid?.() === 0
  if (isRoot) process.seteuid?.(NOBODY)
  try {
    expect(() => isThere(file)).toThrow(
      expect.objectContaining({
        code: 'WAREHOUSE_UNREADABLE',
        exitCode: 5,
        message: `${file} cannot be read (EACCES)`,
      }),
    )
  } finally {
    if (isRoot) process.seteuid?.(0)
  }
})
