import { expect, test } from 'vitest'
import { orderConditions } from '../../../cli/freshness/order-conditions.ts'
import { orderLabel } from '../../../config/order-label.ts'
import { parseConfig } from '../../../config/load-config.ts'
import { datasetByName, datasets } from '../../../datasets/index.ts'

/** Conditions of each order by its label. */
function conditions(text: string): Record<string, string[]> {
  const source = 'source: { base_url: "https://api.example" }'
  const config = parseConfig(
    { file: 'c.yaml', env: {}, datasets },
    `${source}\ndatasets: { ${text} }\n`,
  )
  const found = config.datasets.map((order) => {
    const dataset = datasetByName(order.dataset)!
    return [
      orderLabel(order),
      orderConditions(order, config.datasets, dataset.tables[0]!, dataset),
    ] as const
  })
  return Object.fromEntries(found)
}

test('all rows are those of the only order of a dataset', () => {
  expect(conditions('market_chart: { coins: [a] }, coins: ')).toEqual({
    market_chart: [],
    coins: [],
  })
})

test('ids and currencies tell the rows of several orders', () => {
  const chart =
    'market_chart: [{ coins: [a, b], granularity: 1h }, { coins: top:5, vs_currencies: [eur], granularity: 1d }]'
  expect(conditions(chart)).toEqual({
    'market_chart/1h': [`"vs_currency" IN ('usd')`, `"coin_id" IN ('a', 'b')`],
    'market_chart/1d': [`"vs_currency" IN ('eur')`],
  })
})

test("the whole market's rows are without those that a shorter period takes", () => {
  expect(conditions('coin_markets: [{ coins: [a], every: 1h }, { every: 1d }]')).toEqual({
    'coin_markets/1h': [`"vs_currency" IN ('usd')`, `"coin_id" IN ('a')`],
    'coin_markets/1d': [`"vs_currency" IN ('usd')`, `"coin_id" NOT IN ('a')`],
  })
  const tickers = 'exchange_tickers: [{ exchanges: [x], every: 1h }, { exchanges: [x, y] }]'
  expect(conditions(tickers)['exchange_tickers/1d']).toEqual([`"exchange_id" IN ('x', 'y')`])
})
