import { expect, test } from 'vitest'
import { attendedProgress, type OpenRun } from '../../../cli/run/open-run.ts'

const WITHIN_MS = 1_000

/** A run of which so many rows are loaded, with the second of its worker's last sign; null = it owes none. */
function run(runId: string, rows: number | null, heardAtS: number | null): OpenRun {
  const signs = { isOwed: heardAtS !== null, heardAtMs: 1_000 * (heardAtS ?? 0) }
  return { runId, progress: rows === null ? null : { runId, rows }, signs } as OpenRun
}

/** The rows of the progress after these looks, the last of which repeats. */
async function rowsAfter(...looks: OpenRun[][]): Promise<number | undefined> {
  const [first = [], ...later] = looks
  let look = 0
  const next = () => Promise.resolve(later[Math.min(look++, later.length - 1)] ?? first)
  return (await attendedProgress(first, next, WITHIN_MS))?.rows
}

test.each<[string, OpenRun[][], number | undefined]>([
  ['its worker gives a sign', [[run('a', 1, 5)], [run('a', 2, 6)]], 2],
  ['it owes no sign', [[run('a', 1, null)]], 1],
  ['no sign comes', [[run('a', 1, 5)]], undefined],
  ['no worker has begun it', [[run('a', null, 5)], [run('a', null, 6)]], undefined],
  ['a worker begins it', [[run('a', null, 0)], [run('a', 0, 6)]], 0],
  [
    'its worker is busy with another',
    [
      [run('a', 1, 0), run('b', 7, 5)],
      [run('a', 1, 0), run('b', 8, 6)],
    ],
    1,
  ],
  ['it ends, and another goes on', [[run('a', 1, 5), run('b', 7, 5)], [run('b', 8, 6)]], 1],
])('the progress of a run: %s', async (_, looks, rows) => {
  expect(await rowsAfter(...looks)).toBe(rows)
})
