import { expect, test } from 'vitest'
import { coins } from '../../datasets/coins.ts'
import { tablesOf } from './tables-of.ts'
import { Warehouse } from './warehouse.ts'

const COIN = { id: 'usd-coin', symbol: 'usdc', name: 'USDC' }
const PARTLY_KNOWN = { ...COIN, platforms: { ethereum: '0xa0b8', solana: null, base: '' } }

test('a platform without an address costs the coin none of its others', () => {
  const { page, rows } = tablesOf(coins, [PARTLY_KNOWN], {})
  expect(page.rejected).toEqual([])
  const addresses = rows['coin_platforms']?.map((row) => [
    row['platform_id'],
    row['contract_address'],
  ])
  expect(addresses).toEqual([
    ['ethereum', '0xa0b8'],
    ['base', ''],
  ])
})

const CHECKSUMMED = '0xdAC17F958D2ee523a2206206994597C13D831ec7'
const IN_CASES = { ...COIN, platforms: { ethereum: CHECKSUMMED, solana: 'EPjFWdd5' } }

test('an EVM address is in lower case, as in every table', () => {
  const { rows } = tablesOf(coins, [IN_CASES], {})
  expect(rows['coin_platforms']?.map((row) => row['contract_address'])).toEqual([
    CHECKSUMMED.toLowerCase(),
    'EPjFWdd5',
  ])
})

test.each([
  ['an address in checksum case', IN_CASES],
  ['an address that is not known', PARTLY_KNOWN],
])('%s comes back', (_, coin) => {
  const warehouse = new Warehouse()
  warehouse.load(coins, [coin])
  expect(warehouse.answer('coins/list', { include_platform: 'true' })).toEqual([coin])
})
