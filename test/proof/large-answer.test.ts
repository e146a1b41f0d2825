import { expect, test } from 'vitest'
import { MARKET_PRESETS } from '../../service/market/market-spec.ts'
import { movableClock, openWarehouse } from '../parts/proof-warehouse.ts'
import { serveInTest } from '../parts/serve-source.ts'
import { holdMarket } from '../parts/held-market.ts'

const NOW_MS = Date.UTC(2024, 3, 10, 5, 30)
const SPEC = { ...MARKET_PRESETS.tiny, seed: 5, nowMs: NOW_MS }
const HUGE = 'ethereum'
/** Above the default bound by what stands around it; some kilobytes on the wire. */
const BODY = Buffer.from(JSON.stringify({ prices: [], padding: 'x'.repeat(64 * 1024 * 1024) }))

test('an answer above the bound fails its slice by name after one call, and the others come in', async () => {
  const clock = movableClock(NOW_MS)
  const { source } = await holdMarket(SPEC, clock)
  const served = await serveInTest({
    ...source,
    answer: async (operation, params) => {
      const isHuge = params['id'] === HUGE
      // Ready bytes, because writing the body in each answer would hold up the worker of this process.
      return isHuge ? { kind: 'bytes', bytes: BODY } : await source.answer(operation, params)
    },
  })
  const chart = `market_chart: { coins: [bitcoin, ${HUGE}], granularity: 1d, from: 2024-04-01 }`
  const { report, requests } = await openWarehouse(served, clock).export([chart])
  expect(report).toMatchObject({
    verdict: 'partial',
    slices: { planned: 2, failed: 1 },
    failures: [{ code: 'SOURCE_TOO_LARGE', reason: expect.stringContaining(HUGE) }],
  })
  expect(report.failures[0]?.reason).toContain('the body is larger than 64MiB: GET http')
  expect(report.rows).toBeGreaterThan(0)
  expect(requests.filter(({ path }) => path.includes(`/${HUGE}/`))).toHaveLength(1)
})
