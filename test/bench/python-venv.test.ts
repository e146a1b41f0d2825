import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { pythonWith } from '../../bench/python-venv.ts'

test('without Python there is a reason, and nothing is left behind', () => {
  const dir = mkdtempSync(join(tmpdir(), 'coinlake-venv-'))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  vi.stubEnv('PATH', dir)
  onTestFinished(() => void vi.unstubAllEnvs())
  expect(pythonWith(['duckdb==2.0.0'], { XDG_CACHE_HOME: dir })).toMatch(/^python3 -m venv: /)
  expect(readdirSync(dir, { recursive: true })).not.toContainEqual(
    expect.stringContaining('bench-'),
  )
})
