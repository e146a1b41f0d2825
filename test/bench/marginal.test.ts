import { expect, test } from 'vitest'
import { tableLines } from '../../bench/figure-table.ts'
import { marginalGoal, marginalTable, type SplitRun, splitTable } from '../../bench/marginal.ts'

function run(rows: number, wallS: number, workerS: number, temporalS: number): SplitRun {
  const use = (cpuS: number) => ({ cpuS, peakRssBytes: 0, highWaterBytes: 0 })
  return {
    rows,
    calls: 1,
    wallS,
    startUpS: 1,
    workS: wallS - 1,
    whole: use(workerS + temporalS),
    root: use(workerS),
    descendants: use(temporalS),
    publishS: 0,
    threads: new Map([
      ['main thread', workerS - 1],
      ['DuckDB', 1],
    ]),
  }
}

const PAIR = { few: run(100, 3, 2, 1), all: run(1100, 8, 6, 3) }

test('start-up counts for nothing in rate and CPU', () => {
  expect(tableLines(marginalTable([PAIR], []))).toEqual([
    '                  rows/s  CPU a million rows, s',
    'coinlake             200                6000.00',
    'dlt, at its best       -                      -',
  ])
})

test('the rate is held against that of dlt', () => {
  const slower = { few: run(100, 3, 2, 1), all: run(1100, 13, 6, 3) }
  expect(tableLines(marginalGoal([PAIR], [slower])).at(-1)).toMatch(/ 2\.00 +1\.2 kept$/)
  expect(tableLines(marginalGoal([slower], [PAIR])).at(-1)).toMatch(/ 0\.50 +1\.2 missed$/)
  expect(tableLines(marginalGoal([PAIR], [])).at(-1)).toMatch(/ - +1\.2 open$/)
})

test('each thread group has its part of the whole', () => {
  expect(tableLines(splitTable([PAIR])).slice(1)).toEqual([
    '                 seconds    %',
    'coinlake         6000.00  100',
    'worker           4000.00   67',
    '  main thread    4000.00   67',
    '  DuckDB            0.00    0',
    'Temporal server  2000.00   33',
  ])
})
