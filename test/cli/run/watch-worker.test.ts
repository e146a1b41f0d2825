import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { watchWorker } from '../../../cli/run/watch-worker.ts'
import { warehousePaths } from '../../../config/warehouse-paths.ts'
import { processIdentity } from '../../../engine/process-identity.ts'
import { tempDir } from '../../parts/temp-dir.ts'

const DEAD_PID = spawnSync('true').pid

/** A worker whose run is followed, with a clock of its own. */
function followed() {
  const warehouseDir = tempDir()
  const { stateDir } = warehousePaths(warehouseDir)
  const file = join(stateDir, 'worker.json')
  mkdirSync(stateDir, { recursive: true })
  const notes: string[] = []
  let atS = 0
  const look = watchWorker(
    warehouseDir,
    (text) => notes.push(text),
    () => atS * 1_000,
  )
  return {
    attended: () => look('heard'),
    idleAt: (second: number) => {
      atS = second
      return look('idle')
    },
    notes,
    claimedBy: (pid: number) =>
      writeFileSync(file, JSON.stringify(processIdentity(pid) ?? { pid, startTime: '0' })),
    unclaimed: () => rmSync(file),
    silentAt: (second: number) => {
      atS = second
      return look('silent')
    },
  }
}

test('a killed worker has 20 s to start again; one that does is followed on', () => {
  const { claimedBy, silentAt, notes } = followed()
  claimedBy(process.ppid)
  expect(silentAt(0)).toBeNull()
  claimedBy(DEAD_PID)
  expect(silentAt(100)).toBeNull()
  expect(silentAt(119)).toBeNull()
  claimedBy(process.ppid)
  expect(silentAt(121)).toBeNull()
  claimedBy(DEAD_PID)
  expect(silentAt(130)).toBeNull()
  expect(silentAt(150)).toBe(`process ${DEAD_PID} was killed`)
  expect(notes).toHaveLength(1)
})

test('a worker that was stopped is waited for', () => {
  const { attended, claimedBy, unclaimed, silentAt, notes } = followed()
  claimedBy(process.ppid)
  attended()
  unclaimed()
  expect(silentAt(1)).toBeNull()
  expect(silentAt(1_000)).toBeNull()
  expect(notes).toEqual([expect.stringContaining('start `coinlake worker` again')])
})

test('a run that came to a worker in its last moment is gone on with', () => {
  const { claimedBy, unclaimed, silentAt } = followed()
  claimedBy(process.ppid)
  expect(silentAt(0)).toBeNull()
  unclaimed()
  expect(silentAt(1)).toBeNull()
  expect(silentAt(20)).toBeNull()
  expect(silentAt(21)).toBe('no process has taken the run')
})

test('each long silence of a living worker is noted once, with its process', () => {
  const { attended, claimedBy, silentAt, notes } = followed()
  claimedBy(process.ppid)
  for (const second of [0, 19]) silentAt(second)
  expect(notes).toEqual([])
  for (const second of [20, 40, 600]) silentAt(second)
  expect(notes).toEqual([expect.stringContaining(`process ${process.ppid}, which has the run`)])
  attended()
  for (const second of [700, 730]) silentAt(second)
  expect(notes).toHaveLength(2)
})

test('the killed worker of a run that waits or is paused has its 20 s, too, and no note', () => {
  const { claimedBy, idleAt, silentAt, notes } = followed()
  claimedBy(process.ppid)
  expect(idleAt(0)).toBeNull()
  claimedBy(DEAD_PID)
  expect(idleAt(100)).toBeNull()
  expect(silentAt(110)).toBeNull()
  expect(idleAt(120)).toBe(`process ${DEAD_PID} was killed`)
  expect(notes).toEqual([])
})
