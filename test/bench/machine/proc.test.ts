import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, onTestFinished, test } from 'vitest'
import { parseProcessStat } from '../../../bench/machine/proc-stat.ts'
import { groupThreads, watchThreads } from '../../../bench/machine/thread-split.ts'

test('a process is read from its stat, whatever its name holds', () => {
  const before = '4711 (odd) name (x) S 815'
  // Fields 5 to 13, then utime, stime; 16 to 21, then the start; vsize, then pages resident.
  const rest = '1 1 0 -1 4194560 100 0 0 0 150 25 0 0 20 0 11 0 98765 1234567 300 0'
  expect(parseProcessStat(`${before} ${rest}`)).toEqual({
    parentPid: 815,
    cpuTicks: 175,
    startTicks: 98_765,
    rssBytes: 300 * 4096,
  })
  expect(parseProcessStat('')).toBeNull()
})

test('threads are grouped by name, and those of DuckDB by the size of the pool', () => {
  const thread = (tid: number, name: string, cpuS: number) => ({ tid, name, cpuS })
  const groups = groupThreads(
    [
      thread(20, 'libuv-worker', 0.5),
      thread(9, 'MainThread', 2),
      thread(11, 'V8Worker', 0.25),
      thread(12, 'libuv-worker', 1),
      thread(13, 'libuv-worker', 1),
      thread(14, 'tokio-runtime-w', 0.125),
      thread(15, 'workflow-proces', 0.125),
      thread(16, 'WorkerThread', 0.75),
      thread(17, 'whatever', 0.5),
    ],
    9,
    2,
    7,
  )
  expect(Object.fromEntries(groups)).toEqual({
    'main thread': 2,
    'libuv pool': 2,
    DuckDB: 0.5,
    V8: 0.25,
    'worker threads': 0.75,
    'Temporal native': 0.25,
    // Threads that have ended had the rest of the 7 seconds.
    other: 1.25,
  })
})

test.runIf(process.platform === 'linux')('the threads of a process are followed', async () => {
  const burn = 'while (process.cpuUsage().user < 6e4);'
  const child = spawn(process.execPath, ['-e', `${burn} console.log(1); process.stdin.resume()`])
  onTestFinished(() => void child.kill('SIGKILL'))
  const threads = watchThreads(child.pid!)
  await once(child.stdout, 'data')
  expect(threads().get('main thread')).toBeGreaterThan(0.02)
})
