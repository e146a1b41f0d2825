import { expect, test } from 'vitest'
import { coinMarkets } from '../../../datasets/coin-markets.ts'
import { exchangeTickers } from '../../../datasets/exchange-tickers.ts'
import { globalDefi } from '../../../datasets/global-defi.ts'
import { globalMarket } from '../../../datasets/global-market.ts'
import { jsonText } from '../../../datasets/record/json-text.ts'
import { pageOf } from '../context.ts'
import { wholeItem, wholeTicker } from '../whole-body.ts'

const MARKET = wholeItem('coins/markets')
const TICKER = wholeTicker()

test.each([
  ['a key that is not there', { symbol: 'x' }, 'missing_coin_id', '$[0].id'],
  ['a key that is null', { ...MARKET, id: null }, 'missing_coin_id', '$[0].id'],
  [
    'words for a number',
    { ...MARKET, current_price: '1.5 $' },
    'not_a_number',
    '$[0].current_price',
  ],
  ['1e400 in quotes', { ...MARKET, current_price: '1e400' }, 'not_finite', '$[0].current_price'],
  [
    'half a rank in quotes',
    { ...MARKET, market_cap_rank: '1.5' },
    'not_an_integer',
    '$[0].market_cap_rank',
  ],
  ['1e400', { ...MARKET, current_price: Infinity }, 'not_finite', '$[0].current_price'],
  ['half a rank', { ...MARKET, market_cap_rank: 1.5 }, 'not_an_integer', '$[0].market_cap_rank'],
  ['a day for a time', { ...MARKET, ath_date: '2024-03-14' }, 'not_a_timestamp', '$[0].ath_date'],
  ['an array for an object', { ...MARKET, roi: [] }, 'not_an_object', '$[0].roi'],
  ['a text in an object', { ...MARKET, roi: { times: 'x' } }, 'not_a_number', '$[0].roi.times'],
  ['null for a row', null, 'not_an_object', '$[0]'],
])('%s costs one row, kept whole in quarantine', (_, bad, rule, path) => {
  const context = pageOf(coinMarkets, { vsCurrency: 'usd' })
  const page = coinMarkets.toTables([bad, MARKET], context)
  expect(page.rejected).toEqual([{ rule, path, raw: jsonText(bad) }])
  expect(page.tables[0]!.rows.numRows).toBe(1)
  expect(page.itemCount).toBe(2)
})

test.each([globalMarket, globalDefi])(
  '$name: keys beside a bad object stand with it in quarantine',
  (dataset) => {
    const body = { data: { defi_market_cap: true, markets: 'many' }, generated: 'today' }
    const page = dataset.toTables(body, pageOf(dataset))
    expect(page.rejected.map(({ raw }) => raw)).toEqual([jsonText(body)])
  },
)

test('unknown keys are counted by path, also inside an object', () => {
  const odd = { ...TICKER, mood: 1, converted_last: { btc: 1, ltc: 2 } }
  const page = exchangeTickers.toTables(
    { name: 'x', tickers: [odd, odd], page: 1 },
    pageOf(exchangeTickers, { entity: 'x' }),
  )
  expect(page.unknownPaths).toEqual({
    '$.tickers[*].converted_last.ltc': 2,
    '$.tickers[*].mood': 2,
    '$.page': 1,
  })
})

test('the same key twice on a page: the last row wins and is counted', () => {
  const context = pageOf(coinMarkets, { vsCurrency: 'usd' })
  const page = coinMarkets.toTables([MARKET, { ...MARKET, current_price: 1 }], context)
  expect(page.counts.duplicate).toBe(1)
  expect(page.tables[0]!.rows.getChild('current_price')!.get(0)).toBe(1)
})

test('ordinals go on over the pages of a listing', () => {
  const context = pageOf(exchangeTickers, { entity: 'x' }, { page: 3 })
  const page = exchangeTickers.toTables({ name: 'x', tickers: [TICKER, TICKER] }, context)
  expect([...page.tables[0]!.rows.getChild('ordinal')!].map(Number)).toEqual([200, 201])
})
