import { expect, test } from 'vitest'
import { asking, simulated } from '../tiny-market.ts'

interface Sparkline {
  price: number[]
}

test('the prices of 7 days are there where they are asked for, and nowhere else', async () => {
  const ask = asking(simulated())
  const listed = async (more: string): Promise<{ id: string; sparkline_in_7d?: Sparkline }[]> => {
    const { body } = await ask(`coins/markets?vs_currency=usd${more}`)
    return body as { id: string; sparkline_in_7d?: Sparkline }[]
  }
  const coins = await listed('&sparkline=true')
  expect(coins.map((coin) => coin.sparkline_in_7d?.price.length)).toEqual(coins.map(() => 168))
  expect((await listed('')).some((coin) => 'sparkline_in_7d' in coin)).toBe(false)

  const detail = async (more: string): Promise<Record<string, unknown>> => {
    const { body } = await ask(`coins/bitcoin?${more}`)
    return body as Record<string, unknown>
  }
  const { market_data: data } = await detail('sparkline=true')
  const { price } = (data as { sparkline_7d: Sparkline }).sparkline_7d
  const chart = (await ask('coins/bitcoin/market_chart?vs_currency=usd&days=7')).body
  // The last point of a chart is of now; the others come in the hour of a price.
  const { prices } = chart as { prices: [number, number][] }
  expect(price).toHaveLength(168)
  expect(prices.map(([, value]) => value)).toEqual(expect.arrayContaining(price.slice(-24)))
  expect((await detail(''))['market_data']).not.toHaveProperty('sparkline_7d')
  expect(await detail('sparkline=true&market_data=false')).not.toHaveProperty('market_data')
})
