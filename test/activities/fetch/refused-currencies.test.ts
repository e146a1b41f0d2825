import { expect, test } from 'vitest'
import { refusedCurrencies } from '../../../activities/fetch/refused-currencies.ts'

test.each([
  ['usd,EUR', false],
  ['usd,uds', false],
  ['uds', true],
  ['uds,ruo', true],
])('slices in %s are stopped by a list of usd and eur: %s', async (vsCurrency, isStopped) => {
  const refused = refusedCurrencies()
  const slice = { dataset: 'quotes', vsCurrency }
  await refused.noteRefusal(slice, async () => new Set(['usd', 'eur']))
  expect(refused.faultOf(slice) !== null).toBe(isStopped)
})
