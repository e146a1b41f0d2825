import { expect, test } from 'vitest'
import { parseMachineCpu } from '../../bench/machine-cpu.ts'
import { parseProcessStat } from '../../bench/proc-stat.ts'

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

test('a machine is busy with all but idling and waiting, and guests count once', () => {
  const text = 'cpu  100 20 30 800 50 1 2 3 40 0\ncpu0 1 1 1 1 1 1 1 1 1 1\n'
  const { busyS, allS } = parseMachineCpu(text)
  expect(busyS).toBeCloseTo(1.56)
  expect(allS).toBeCloseTo(10.06)
})
