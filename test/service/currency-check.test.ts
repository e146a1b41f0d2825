import { expect, test } from 'vitest'
import { operations } from '../../api/operations.ts'
import { createCurrencyCheck } from '../../service/currency-check.ts'
import { echoSource } from './echo-service.ts'

const CHART = operations['coins/{id}/market_chart']

test('currencies that could not be read once are read again, and then kept', async () => {
  let reads = 0
  const check = createCurrencyCheck({
    ...echoSource(),
    currencies: async () => {
      reads += 1
      if (reads === 1) throw new Error('the warehouse is busy')
      return new Set(['usd'])
    },
  })
  await expect(check(CHART, { vs_currency: 'usd' })).rejects.toThrow('busy')
  expect(await check(CHART, { vs_currency: 'usd' })).toBeNull()
  expect(await check(CHART, { vs_currency: 'zzz' })).toContain('"zzz", expected a code')
  expect(reads).toBe(2)
})

test('a source that knows no currencies takes any', async () => {
  expect(await createCurrencyCheck(echoSource())(CHART, { vs_currency: 'zzz' })).toBeNull()
  const empty = { ...echoSource(), currencies: async () => new Set<string>() }
  expect(await createCurrencyCheck(empty)(CHART, { vs_currency: 'zzz' })).toBeNull()
})
