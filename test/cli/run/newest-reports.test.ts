import { mkdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { lastReport, newestReports } from '../../../cli/run/newest-reports.ts'
import { tempDir } from '../../parts/temp-dir.ts'

const MINUTE_MS = 60_000
const NOON_MS = Date.UTC(2026, 0, 15, 12)

/** A folder of reports; minutes after noon at which each run ended, by its id. */
function reports(ends: Readonly<Record<string, number>>): string {
  const dir = join(tempDir(), 'runs')
  mkdirSync(dir)
  for (const [runId, minutes] of Object.entries(ends)) {
    const finished = new Date(NOON_MS + minutes * MINUTE_MS)
    const file = join(dir, `${runId}.json`)
    const report = { runId, finishedAt: finished.toISOString(), unreachable: { series: [] } }
    writeFileSync(file, JSON.stringify(report))
    utimesSync(file, finished, finished)
  }
  return dir
}

test.for([
  ['two of one second', { '20260115T110000-ffffff': 1, '20260115T110000-000000': 2 }],
  ['a backfill of days', { '20260115T120000-aaaaaa': 1, '20260110T110000-bbbbbb': 2 }],
  [
    'a window of last year, run again',
    {
      ...Object.fromEntries(
        Array.from({ length: 50 }, (_, at) => [`202601${10 + at}T000000-aaaaaa`, at]),
      ),
      '20250101T000000-bbbbbb': 99,
    },
  ],
] as const)('%s: the run that ended last is the last', async ([, ends]) => {
  expect((await lastReport(reports(ends)))?.runId).toBe(Object.keys(ends).at(-1))
})

test('the newest first; none where there is none', async () => {
  const dir = reports({ b: 2, a: 3, c: 1 })
  expect((await newestReports(dir, 2)).map(({ runId }) => runId)).toEqual(['a', 'b'])
  expect(await lastReport(join(dir, 'nowhere'))).toBeNull()
})

test.for(['', '{"runId":"z","unrea', 'null', '{}'])(
  'a file with the text %j is no report, and hides none',
  async (text) => {
    const dir = reports({ a: 1 })
    writeFileSync(join(dir, 'z.json'), text)
    expect((await newestReports(dir, 2)).map(({ runId }) => runId)).toEqual(['a'])
  },
)

test('a report that a sweep removes during the look hides none', async () => {
  const dir = reports({ a: 1 })
  // Like a removed file: in the list of names, but nowhere else.
  symlinkSync(join(dir, 'gone'), join(dir, 'z.json'))
  expect((await newestReports(dir, 2)).map(({ runId }) => runId)).toEqual(['a'])
})
