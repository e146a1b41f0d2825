import { expect, test } from 'vitest'
import { tokenPriceQuotes } from '../../datasets/token-price-quotes.ts'
import { stepsOf } from './context.ts'
import { tablesOf } from './tables-of.ts'
import { Warehouse } from './warehouse.ts'

const OPERATION = 'simple/token_price/{id}'
const CHECKSUMMED = '0xdAC17F958D2ee523a2206206994597C13D831ec7'
const USDT = CHECKSUMMED.toLowerCase()
const IBC = 'ibc/27394FB092D2ECCD56123C74F36E4C1F926001CEADA9CA97EA622B25F41E5EB2'
const MINT = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'
const QUOTE = { usd: 1.0001, usd_market_cap: 9e10, usd_24h_vol: 3, usd_24h_change: null }

function rowsOf(body: unknown, entity: string) {
  return tablesOf(tokenPriceQuotes, body, { entity, vsCurrency: 'usd' })
}

test.each<[string, string, string[], string[], string[]]>([
  ['lower case for a checksum', CHECKSUMMED, [USDT], [USDT], []],
  ['the checksum itself', CHECKSUMMED, [CHECKSUMMED], [USDT], []],
  ['another case of another chain', MINT, [MINT.toLowerCase()], [MINT.toLowerCase()], []],
  ['an address of another length', IBC, [IBC, '0xAB'], [IBC, '0xAB'], []],
  ['another token', USDT, [MINT], [MINT], [USDT]],
  ['nothing', MINT, [], [], [MINT]],
])('%s: what came is kept, what did not is named', (_, asked, came, kept, lacking) => {
  const body = Object.fromEntries(came.map((address) => [address, QUOTE]))
  const { rows, page } = rowsOf(body, `x/${asked}`)
  expect(rows['token_price_quotes']!.map((row) => row['contract_address'])).toEqual(kept)
  expect(page.rejected).toEqual(
    lacking.map((id) => ({ rule: 'not_in_answer', path: `$.${id}`, raw: JSON.stringify(id) })),
  )
})

test('one token in two cases is one row, the last one, and counted', () => {
  const body = { [USDT]: { usd: 1 }, [CHECKSUMMED]: { usd: 2 } }
  const { rows, page } = rowsOf(body, `ethereum/${USDT}`)
  expect(rows['token_price_quotes']).toMatchObject([{ contract_address: USDT, price: 2 }])
  expect(page).toMatchObject({ counts: { duplicate: 1 }, rejected: [], itemCount: 2 })
})

test('a bad quote is named by the key that the answer has', () => {
  const body = { [CHECKSUMMED]: { usd: 'one' } }
  const { page } = rowsOf(body, `ethereum/${USDT}`)
  expect(page.rejected).toMatchObject([{ rule: 'not_a_number', path: `$.${CHECKSUMMED}.usd` }])
})

test('an answer in checksum case is served again, whichever case is asked', () => {
  const warehouse = new Warehouse()
  const slice = { entity: `ethereum/${CHECKSUMMED}`, vsCurrency: 'usd' }
  warehouse.load(tokenPriceQuotes, { [CHECKSUMMED]: { usd: 1 } }, slice)
  for (const contract_addresses of [USDT, CHECKSUMMED]) {
    const params = { id: 'ethereum', contract_addresses, vs_currencies: 'usd' }
    expect(warehouse.answer(OPERATION, params)).toEqual({ [USDT]: { usd: 1 } })
  }
})

test('the service looks up EVM addresses in any case, others as they are, by platform', () => {
  const warehouse = new Warehouse()
  for (const [platform, address, usd] of [
    ['ethereum', USDT, 1],
    ['base', USDT, 2],
    ['solana', MINT, 3],
  ] as const) {
    const slice = { entity: `${platform}/${address}`, vsCurrency: 'usd' }
    warehouse.load(tokenPriceQuotes, { [address]: { usd } }, slice)
  }
  const get = (id: string, contract_addresses: string) =>
    warehouse.answer(OPERATION, { id, contract_addresses, vs_currencies: 'usd' })
  expect(get('ethereum', `${CHECKSUMMED}, ${MINT}`)).toEqual({ [USDT]: { usd: 1 } })
  expect(get('base', USDT)).toEqual({ [USDT]: { usd: 2 } })
  expect(get('solana', MINT)).toEqual({ [MINT]: { usd: 3 } })
  expect(get('solana', MINT.toLowerCase())).toEqual({})
  expect(get('nowhere', USDT)).toEqual({})
})

test('one request asks for the tokens of one platform', () => {
  const entity = `osmosis/${IBC},osmosis/uosmo`
  expect(stepsOf(tokenPriceQuotes, { entity, vsCurrency: 'usd,eur' })).toMatchObject([
    {
      operation: OPERATION,
      params: { id: 'osmosis', contract_addresses: `${IBC},uosmo`, vs_currencies: 'usd,eur' },
      paging: 'single',
    },
  ])
  expect(tokenPriceQuotes.sliceGroup?.(`osmosis/${IBC}`)).toBe('osmosis')
})
