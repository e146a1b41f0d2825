import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { holdsLock, lockHolder, releaseLock, takeLock } from '../../engine/pid-lock.ts'
import { isAlive, ownIdentity, processIdentity } from '../../engine/process-identity.ts'
import { startFixture } from './fixtures/child.ts'
import { tempDir } from '../parts/temp-dir.ts'

/** The pid of a process that has just ended. */
function deadPid(): number {
  return spawnSync(process.execPath, ['-e', '']).pid
}

test('a process is known by pid and start time', () => {
  const own = ownIdentity()
  expect(own.pid).toBe(process.pid)
  expect(isAlive(own)).toBe(true)
  expect(isAlive({ ...own, startTime: '1' })).toBe(false)
  expect(processIdentity(deadPid())).toBeNull()
})

test('a lock is taken, seen and given back', () => {
  const path = join(tempDir(), 'lock')
  expect(lockHolder(path)).toBeNull()
  expect(takeLock(path)).toBe(true)
  expect(lockHolder(path)).toEqual(ownIdentity())
  releaseLock(path)
  expect(existsSync(path)).toBe(false)
})

test.each([
  ['a dead process', () => JSON.stringify({ pid: deadPid(), startTime: '1' })],
  ['our pid in another life', () => JSON.stringify({ pid: process.pid, startTime: '1' })],
  ['an empty file', () => ''],
  ['half a record', () => '{"pid": 12'],
])('a lock left by %s is taken over', (_, content) => {
  const dir = tempDir()
  const path = join(dir, 'lock')
  writeFileSync(path, content())
  expect(lockHolder(path)).toBeNull()
  expect(takeLock(path)).toBe(true)
  expect(holdsLock(path)).toBe(true)
  expect(readdirSync(dir)).toEqual(['lock'])
})

test('a lock of another living process is left alone', async () => {
  const path = join(tempDir(), 'lock')
  const other = startFixture('take-lock.ts', [path, '0'])
  expect(await other.firstLine).toBe('won')
  const before = readFileSync(path, 'utf8')
  expect(takeLock(path)).toBe(false)
  releaseLock(path)
  expect(readFileSync(path, 'utf8')).toBe(before)
  await other.kill()
  expect(takeLock(path)).toBe(true)
})

test('of six processes that find a stale lock at once, exactly one has it', async () => {
  const path = join(tempDir(), 'lock')
  writeFileSync(path, JSON.stringify({ pid: deadPid(), startTime: '1' }))
  const atMs = String(Date.now() + 1_500)
  const racers = Array.from({ length: 6 }, () => startFixture('take-lock.ts', [path, atMs]))
  const answers = await Promise.all(racers.map((racer) => racer.firstLine))
  expect(answers.filter((answer) => answer === 'won')).toHaveLength(1)
})
