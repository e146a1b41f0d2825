import { expect, test } from 'vitest'
import type { CoinlakeRun } from '../../bench/coinlake-run.ts'
import { median } from '../../bench/median.ts'
import { tableLines } from '../../bench/figure-table.ts'
import { comparisonTable, goalTable } from '../../bench/compare/comparison-tables.ts'
import { steadyRowsPerS } from '../../bench/compare/peer.ts'
import { W2 } from '../../bench/compare/w2-workload.ts'

const MIB = 1024 * 1024

function run(rows: number, wallS: number, workerMib = 100): CoinlakeRun {
  const use = (mib: number, cpuS: number) => ({
    cpuS,
    peakRssBytes: mib * MIB,
    highWaterBytes: mib * MIB,
  })
  return {
    rows,
    calls: 1,
    wallS,
    startUpS: 1,
    workS: wallS - 1,
    whole: use(300, 4),
    root: use(workerMib, 3),
    descendants: use(200, 1),
    publishS: 0.25,
  }
}

test('the median is the middle, or between the two middles', () => {
  expect(median([3, 1, 2])).toBe(2)
  expect(median([4, 1, 3, 2])).toBe(2.5)
  expect(median([])).toBeNaN()
})

test('the steady state leaves out what a run takes whatever its size', () => {
  expect(steadyRowsPerS({ few: run(1000, 5), all: run(9000, 9) })).toBe(2000)
})

test('the comparison shows medians and the ratio to the script', () => {
  const byHand = { few: run(1000, 1), all: run(9000, 2) }
  const turns = [9, 30, 10].map((wallS) => ({
    serverStarted: { few: run(1000, 2), all: run(9000, wallS) },
    serverUp: { few: run(1000, 1), all: run(9000, 1.3) },
    workerUp: { few: run(1000, 1), all: run(9000, 1.1) },
    byHand,
  }))
  const lines = tableLines(comparisonTable(W2, turns))
  const line = (name: string): string[] =>
    lines
      .find((text) => text.trim().startsWith(name))
      ?.split(/\s{2,}/)
      .slice(-3) ?? []
  expect(line('whole process, s')).toEqual(['10.00', '2.00', '5.00'])
  expect(line('rows/s')).toEqual(['1000', '8000', '0.13'])
  const alone = tableLines(
    comparisonTable(
      W2,
      turns.map((turn) => ({ ...turn, byHand: null })),
    ),
  )
  expect(alone.find((text) => text.startsWith('whole process'))).toMatch(/10\.00 +- +-$/)
})

test('each goal is held against its ratio', () => {
  const turn = {
    serverStarted: { few: run(1000, 2), all: run(9000, 2.2) },
    serverUp: { few: run(1000, 1), all: run(9000, 1.3) },
    workerUp: { few: run(1000, 1), all: run(9000, 1.1) },
    byHand: { few: run(1000, 1), all: run(9000, 2) },
  }
  const growth = [
    { ours: run(1_000_000, 10, 800), byHandS: 8 },
    { ours: run(4_000_000, 40, 960), byHandS: 32 },
  ]
  const lines = tableLines(goalTable(W2, [turn], growth))
  expect(lines).toEqual([
    'goals',
    '                                                 ratio  at most',
    'whole process, server started, to the script      1.10      1.6 kept',
    'whole process, server up, to the script           0.65      1.4 kept',
    'whole process, a resident worker, to the script   0.55      1.1 kept',
    'steady state to the script                        0.30      0.9 kept',
    'whole process at 4 times the rows                 1.25      0.8 missed',
    'memory of the worker at 4 times the rows          1.20     1.25 kept',
  ])
  const alone = tableLines(goalTable(W2, [{ ...turn, byHand: null }], growth))
  expect(alone[2]).toMatch(/ - +1\.6 open$/)
})
