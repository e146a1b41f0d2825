import { expect, test } from 'vitest'
import { didYouMean } from '../../../config/values/did-you-mean.ts'

const known = ['coins', 'coin_markets', 'market_chart', 'ohlc', 'from', 'to', 'exchange_rates']

test.each([
  ['market-chart', 'market_chart'],
  ['markt_chart', 'market_chart'],
  ['Coin_Market', 'coin_markets'],
  ['form', 'from'],
  ['coin', 'coins'],
  ['OHLC', 'ohlc'],
  ['bananas', null],
  ['xy', null],
])('%s: did you mean %s', (word, meant) => {
  expect(didYouMean(word, known)).toBe(meant)
})

test('of equally near words the first one was meant', () => {
  expect(didYouMean('cain', ['coin', 'chain'])).toBe('coin')
})
