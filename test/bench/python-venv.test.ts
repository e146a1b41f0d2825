import { readdirSync } from 'node:fs'
import { expect, onTestFinished, test, vi } from 'vitest'
import { pythonWith } from '../../bench/python-venv.ts'
import { tempDir } from '../parts/temp-dir.ts'

test('without Python there is a reason, and nothing is left behind', () => {
  const dir = tempDir()
  vi.stubEnv('PATH', dir)
  onTestFinished(() => void vi.unstubAllEnvs())
  expect(pythonWith(['duckdb==2.0.0'], { XDG_CACHE_HOME: dir })).toMatch(/^python3 -m venv: /)
  expect(readdirSync(dir, { recursive: true })).not.toContainEqual(
    expect.stringContaining('bench-'),
  )
})
