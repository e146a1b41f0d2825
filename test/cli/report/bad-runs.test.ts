import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ReportFacts } from '../../../cli/report/facts/report-facts.ts'
import { holesAndFailures, revokedKey, staleAndQuarantined } from './bad-runs.ts'
import { findChromium, launch, look } from './browser.ts'

const SCREENS = [1280, 390].flatMap((width) =>
  (['light', 'dark'] as const).map((colorScheme) => ({ width, colorScheme })),
)
/** A chart each of coverage, snapshots, calls, price and candles, at least. */
const LEAST_CHARTS = 5
const FOLD_PX = 400

const chromium = findChromium()
if (chromium === null) {
  console.log(
    'skipped: the pages are not looked at, as no Chromium is on PATH (or named by CHROMIUM)',
  )
}
let browser: Browser | null = null
beforeAll(async () => {
  if (chromium !== null) browser = await launch(chromium)
})
afterAll(() => browser?.close())

test.each([
  {
    what: 'a key that is revoked in mid-run',
    make: revokedKey,
    says: /^failed: the source refused the key after 9 of 12 slices, 3 slices were not fetched, 3 of 15 series have gaps$/,
    next: 'coinlake backfill',
  },
  {
    what: 'holes and failed slices',
    make: holesAndFailures,
    // Ids that the source has lost are holes no more: no backfill fills them.
    says: /^partial, unreachable: 486 days: 3 slices failed$/,
    next: 'coinlake backfill',
  },
  {
    what: 'stale data and rows in quarantine',
    make: staleAndQuarantined,
    says: /^partial: 15 rows quarantined, newest hourly price 26\.5 h old, newest 4-hour candle 27\.5 h old$/,
    next: 'coinlake quarantine list',
  },
])('$what: said at the top, on every screen', async ({ make, says, next }) => {
  const warehouse = await make()
  const told = await warehouse.run('report', '--json')
  const { verdict } = JSON.parse(told.stdout) as ReportFacts
  const { sentence } = verdict
  expect(sentence).toMatch(says)
  expect(verdict.next.map(({ command }) => command)).toContain(next)
  const file = join(warehouse.paths.root, '..', 'report.html')
  expect(await warehouse.run('report', '-o', file)).toMatchObject({
    exitCode: 0,
    stderr: `${sentence}\nwrote ${file}\n`,
  })
  if (browser === null) return
  const colors = new Set<string>()
  for (const screen of SCREENS) {
    const seen = await look(browser, file, screen)
    expect(seen, JSON.stringify(screen)).toMatchObject({
      messages: [],
      requests: [],
      overflow: 0,
      verdict: sentence,
    })
    expect(seen.verdictEnd).toBeLessThan(FOLD_PX)
    expect(seen.charts.cut).toBe(0)
    expect(seen.charts.shown).toBeGreaterThanOrEqual(LEAST_CHARTS)
    colors.add(`${screen.colorScheme} ${seen.colors.page} ${seen.colors.text}`)
  }
  // Light and dark differ, and the width changes neither.
  expect([...colors].sort()).toEqual([
    'dark rgb(18, 22, 28) rgb(228, 232, 238)',
    'light rgb(245, 246, 248) rgb(28, 36, 48)',
  ])
})
