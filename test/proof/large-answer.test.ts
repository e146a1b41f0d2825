import { expect, test } from 'vitest'
import { openMarketWarehouse } from '../parts/market-warehouse.ts'

const HUGE = 'ethereum'
/** Above the default bound by what stands around it; some kilobytes on the wire. */
const BODY = Buffer.from(JSON.stringify({ prices: [], padding: 'x'.repeat(64 * 1024 * 1024) }))

test('an answer above the bound fails its slice by name after one call, and the others come in', async () => {
  const { warehouse } = await openMarketWarehouse({}, (source) => ({
    ...source,
    answer: async (operation, params) => {
      const isHuge = params['id'] === HUGE
      // Ready bytes, because writing the body in each answer would hold up the worker of this process.
      return isHuge ? { kind: 'bytes', bytes: BODY } : await source.answer(operation, params)
    },
  }))
  const chart = `market_chart: { coins: [bitcoin, ${HUGE}], granularity: 1d, from: 2024-04-01 }`
  const { report, requests } = await warehouse.export([chart])
  expect(report).toMatchObject({
    verdict: 'partial',
    slices: { planned: 2, failed: 1 },
    failures: [{ code: 'SOURCE_TOO_LARGE', reason: expect.stringContaining(HUGE) }],
  })
  expect(report.failures[0]?.reason).toContain('the body is larger than 64MiB: GET http')
  expect(report.rows).toBeGreaterThan(0)
  expect(requests.filter(({ path }) => path.includes(`/${HUGE}/`))).toHaveLength(1)
})
