import { expect, test } from 'vitest'
import { globalDefi } from '../../datasets/global-defi.ts'
import { tablesOf } from './tables-of.ts'

const RATIO = '25.9177136602677348904432522573101031788841174510865443130135278'
const DIGITS_100 = `${'9'.repeat(60)}.${'123'.repeat(14)}`
const DATA = {
  defi_market_cap: '105273842288.229620442228701667',
  eth_market_cap: DIGITS_100,
  defi_to_eth_ratio: RATIO,
  trading_volume_24h: '0.00000000001',
  defi_dominance: '3.8676503084614763642371703099489945457095080090859886',
  top_coin_name: 'Lido Staked Ether',
  top_coin_defi_dominance: 30.589442518868,
}

test.each([
  ['null', null, '$.data is no object'],
  ['an array', [], '$.data is no object'],
  ['HTML', '<html></html>', '$.data is no object'],
  ['an empty object', {}, '$.data is no object'],
  ['a list of data', { data: [DATA] }, '$.data is no object'],
  ['nothing in it', { data: {} }, '$.data.defi_market_cap is missing'],
])('%s is refused whole', (_, body, message) => {
  expect(() => tablesOf(globalDefi, body)).toThrow(message)
})
