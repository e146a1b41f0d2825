import { expect, test } from 'vitest'
import { tableLines } from '../../../bench/figure-table.ts'
import type { PeerRun } from '../../../bench/compare/peer.ts'
import { costTable, type PeerResult, truthTable } from '../../../bench/compare/peers-tables.ts'

const MIB = 1024 * 1024

function result(peer: string, wallS: readonly number[], wrong = 0): PeerResult {
  const use = (s: number) => ({ cpuS: s / 2, peakRssBytes: 100 * MIB, highWaterBytes: 0 })
  const run = (s: number): PeerRun => ({
    rows: Number.NaN,
    calls: 41,
    wallS: s,
    startUpS: 0,
    workS: s,
    whole: use(s),
    root: use(s),
    descendants: use(s),
  })
  const values = { rows: 1000, missing: 0, unexpected: 0, twice: 0, wrong }
  return { peer, runs: wallS.map(run), values, again: { calls: 41, rows: 2000 } }
}

test('everybody is shown as a multiple of the script by hand, by the median', () => {
  const lines = tableLines(costTable('W', [result('by hand', [2, 1, 9]), result('dlt', [5])]))
  expect(lines).toEqual([
    'W',
    '         wall, s  wall to script  CPU, s  CPU to script  peak, MiB  rows/s  turns',
    'by hand     2.00            1.00    1.00           1.00        100     500      3',
    'dlt         5.00            2.50    2.50           2.50        100     200      1',
  ])
  const alone = tableLines(costTable('W', [result('dlt', [5])]))
  expect(alone[2]).toMatch(/^dlt +5\.00 +- /)
})

test('what is in the tables stands beside what a second run costs', () => {
  const [, , line] = tableLines(truthTable('W', [result('dlt', [5], 7)]))
  expect(line?.split(/\s+/)).toEqual(['dlt', '1000', '0', '0', '0', '7', '41', '41', '2000'])
})
