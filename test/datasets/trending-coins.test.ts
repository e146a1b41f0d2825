import { expect, test } from 'vitest'
import { trendingCoins } from '../../datasets/trending-coins.ts'
import { tablesOf } from './tables-of.ts'

const COIN = {
  id: 'qubic-network',
  coin_id: 32_949,
  name: 'Qubic',
  symbol: 'QUBIC',
  market_cap_rank: null,
  thumb: 't.png',
  small: 's.png',
  large: 'l.png',
  slug: 'qubic',
  price_btc: 1.1792020782950375e-11,
  score: 3,
}
const DATA = {
  price: 9.04766669820536e-7,
  price_btc: '0.00000000001179202078295037',
  price_change_percentage_24h: { usd: -3.27, btc: null },
  market_cap: '$104,127,324',
  market_cap_btc: '1354.025469919968',
  total_volume: '$3,463,333',
  total_volume_btc: '45.13837130375957',
  sparkline: 'c.svg',
  content: { title: 'What is it?', description: 'A "coin", \r\n 🦀.' },
}

test('the same coin twice: the last one wins and is counted', () => {
  const body = { coins: [{ item: COIN }, { item: { ...COIN, score: 9 } }] }
  const { page, rows } = tablesOf(trendingCoins, body)
  expect(page.counts.duplicate).toBe(1)
  expect(rows['trending_coins']?.map((row) => [row['score'], row['ordinal']])).toEqual([[9, 1]])
})

const coinOf = (data: object) => ({ coins: [{ item: { ...COIN, data } }] })

test('a bad member of a map costs that member', () => {
  const body = coinOf({ ...DATA, price_change_percentage_24h: { usd: 1, btc: '2' } })
  const { page, rows } = tablesOf(trendingCoins, body)
  const path = '$.coins[0].item.data.price_change_percentage_24h.btc'
  expect(page.rejected).toEqual([{ rule: 'not_a_number', path, raw: '"2"' }])
  expect(rows['trending_coin_changes']).toHaveLength(1)
})
