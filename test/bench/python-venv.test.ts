import { chmodSync, existsSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
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

test('an environment whose Python is gone from the machine is made again', () => {
  const dir = tempDir()
  // Stands for `python3 -m venv <dir>`, whose Python then installs packages.
  writeFileSync(
    join(dir, 'python3'),
    '#!/bin/sh\nPATH=/usr/bin:/bin\nmkdir -p "$3/bin"\nln -s /bin/true "$3/bin/python"\n',
  )
  chmodSync(join(dir, 'python3'), 0o755)
  vi.stubEnv('PATH', dir)
  onTestFinished(() => void vi.unstubAllEnvs())
  const prepare = () => pythonWith(['duckdb==2.0.0'], { XDG_CACHE_HOME: dir })
  const made = prepare()
  if (typeof made === 'string') throw new Error(made)
  rmSync(made.python)
  symlinkSync(join(dir, 'gone'), made.python)
  expect(prepare()).toEqual(made)
  expect(existsSync(made.python)).toBe(true)
})
