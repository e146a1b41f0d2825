import { expect, test } from 'vitest'
import { coins } from '../../datasets/coins.ts'
import { tablesOf } from './tables-of.ts'
import { Warehouse } from './warehouse.ts'

const CHECKSUMMED = '0xdAC17F958D2ee523a2206206994597C13D831ec7'
const IN_CASES = {
  id: 'usd-coin',
  symbol: 'usdc',
  name: 'USDC',
  platforms: { ethereum: CHECKSUMMED, solana: 'EPjFWdd5' },
}

test('an EVM address is in lower case, as in every table', () => {
  const { rows } = tablesOf(coins, [IN_CASES], {})
  expect(rows['coin_platforms']?.map((row) => row['contract_address'])).toEqual([
    CHECKSUMMED.toLowerCase(),
    'EPjFWdd5',
  ])
})

test('an address in checksum case comes back', () => {
  const warehouse = new Warehouse()
  warehouse.load(coins, [IN_CASES])
  expect(warehouse.answer('coins/list', { include_platform: 'true' })).toEqual([IN_CASES])
})
