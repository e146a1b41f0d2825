import { spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import {
  sweepTemp,
  syncFolder,
  tempName,
  writeDurably,
  writeWhole,
} from '../../config/atomic-file.ts'
import { tempDir } from '../parts/temp-dir.ts'

const DEAD_PID = spawnSync('true').pid
const HOUR_S = 3_600

const WRITERS = [
  ['writeDurably', writeDurably],
  ['writeWhole', async (path: string, text: string) => writeWhole(path, text)],
] as const

const modeOf = (path: string): number => statSync(path).mode & 0o777
/** The descriptors of this process, where the system shows them. */
const openFiles = (): number =>
  existsSync('/proc/self/fd') ? readdirSync('/proc/self/fd').length : 0

test.each(WRITERS)(
  '%s makes its folders and replaces a file, for the owner alone',
  async (_, write) => {
    const path = join(tempDir(), 'some', 'folder', 'file')
    const before = openFiles()
    await write(path, 'first')
    await write(path, 'second')
    expect(readFileSync(path, 'utf8')).toBe('second')
    expect([modeOf(path), modeOf(dirname(path))]).toEqual([0o600, 0o700])
    expect(readdirSync(dirname(path))).toEqual(['file'])
    expect(openFiles()).toBe(before)
  },
)

test.each(WRITERS)('%s leaves nothing behind where it fails', async (_, write) => {
  const path = join(tempDir(), 'a-folder')
  mkdirSync(join(path, 'full'), { recursive: true })
  const before = openFiles()
  await expect(write(path, 'text')).rejects.toThrow(/EISDIR|ENOTEMPTY|EEXIST/)
  expect(readdirSync(dirname(path))).toEqual(['a-folder'])
  expect(openFiles()).toBe(before)
  await expect(write(join(path, 'full', '..', 'f\0'), '')).rejects.toThrow()
})

test('a temp folder and permissions of their own', async () => {
  const dir = tempDir()
  const path = join(dir, 'file')
  await writeDurably(path, new Uint8Array([65]), { tempDir: join(dir, 'tmp'), mode: 0o640 })
  expect(readFileSync(path, 'utf8')).toBe('A')
  expect(modeOf(path)).toBe(0o640)
  expect(readdirSync(join(dir, 'tmp'))).toEqual([])
})

test('a file that stands where a folder is needed fails at once', async () => {
  const dir = tempDir()
  writeFileSync(join(dir, 'file'), '')
  await expect(writeDurably(join(dir, 'file', 'below'), '')).rejects.toThrow('ENOTDIR')
  expect(readdirSync(dir)).toEqual(['file'])
})

test('the rename is a crash point where it has a name', async () => {
  const dir = tempDir()
  const log = join(dir, 'log')
  Object.assign(process.env, { COINLAKE_CRASH_AT: 'count', COINLAKE_CRASH_LOG: log })
  onTestFinished(() => {
    delete process.env['COINLAKE_CRASH_AT']
    delete process.env['COINLAKE_CRASH_LOG']
  })
  await writeDurably(join(dir, 'unnamed'), '')
  expect(existsSync(log)).toBe(false)
  await writeDurably(join(dir, 'named'), '', { place: 'stage.rename' })
  const [before, after] = ['before', 'after'].map((when) => `stage.rename.${when} ${process.pid}`)
  expect(readFileSync(log, 'utf8')).toBe(`${before}\n${after}\n`)
})

test('a folder is synced, and its descriptor closed', async () => {
  const before = openFiles()
  await syncFolder(tempDir())
  expect(openFiles()).toBe(before)
})

/** A temp file's name with other facts of its writer. */
function nameOf({ pid = process.pid, isOtherHost = false }): string {
  const name = tempName().replace(/\d+$/, String(pid))
  return isOtherHost ? name.replace(/\.[0-9a-f]{8}\./, '.00000000.') : name
}

test.each([
  ['of this process', {}, 0, true],
  ['of this process, older than an hour', {}, HOUR_S + 10, false],
  ['of a dead process', { pid: DEAD_PID }, 0, false],
  ['of another machine', { pid: DEAD_PID, isOtherHost: true }, 0, true],
  ['of another machine, nearly an hour old', { isOtherHost: true }, HOUR_S - 60, true],
  ['of another machine, older than an hour', { isOtherHost: true }, HOUR_S + 10, false],
])('a temp file %s', async (_, facts, ageS, stays) => {
  const dir = tempDir()
  const path = join(dir, nameOf(facts))
  const others = ['page', `x${tempName()}`, `${tempName()}x`, tempName().replace('tmp', 'tmq')]
  const whenS = Date.now() / 1_000
  for (const file of [path, ...others.map((name) => join(dir, name))]) {
    writeFileSync(file, '')
    utimesSync(file, whenS, file === path ? whenS - ageS : 0)
  }
  await sweepTemp(dir)
  expect(existsSync(path)).toBe(stays)
  expect(others.every((name) => existsSync(join(dir, name)))).toBe(true)
})

test('a temp folder that is missing has nothing to sweep; no two names are equal', async () => {
  await sweepTemp(join(tempDir(), 'missing'))
  expect(new Set([tempName(), tempName(), tempName()]).size).toBe(3)
})
