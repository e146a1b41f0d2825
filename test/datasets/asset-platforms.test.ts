import { expect, test } from 'vitest'
import { assetPlatforms } from '../../datasets/asset-platforms.ts'
import { nftPlatforms } from '../../datasets/nft-platforms.ts'
import { pageOf } from './context.ts'
import { Warehouse } from './warehouse.ts'

const OPERATION = 'asset_platforms'
const NOW = Date.UTC(2030, 0, 1)

const POLYGON = {
  id: 'polygon-pos',
  chain_identifier: 137,
  name: 'Polygon POS',
  shortname: 'MATIC',
  native_coin_id: 'matic-network',
  image: { thumb: 'https://example.org/t.png', small: 'missing_small.png', large: null },
}
const SOLANA = {
  id: 'sol ana',
  chain_identifier: null,
  name: 'Solana 🦄',
  shortname: '',
  native_coin_id: null,
  image: null,
}

test('the service filters, and answers the newest list', () => {
  const warehouse = new Warehouse()
  expect(warehouse.answer(OPERATION, {}, NOW)).toEqual([])
  expect(warehouse.answer(OPERATION, { filter: 'nft' }, NOW)).toEqual([])
  const gone = { ...POLYGON, id: 'gone' }
  const yesterday = { observedAtMs: Date.UTC(2029, 11, 31) }
  warehouse.load(assetPlatforms, [gone], pageOf(assetPlatforms, {}, yesterday))
  warehouse.load(nftPlatforms, [gone], pageOf(nftPlatforms, {}, yesterday))
  warehouse.load(assetPlatforms, [POLYGON, SOLANA], pageOf(assetPlatforms))
  warehouse.load(nftPlatforms, [SOLANA], pageOf(nftPlatforms))
  expect(warehouse.answer(OPERATION, {}, NOW)).toEqual([POLYGON, SOLANA])
  expect(warehouse.answer(OPERATION, { filter: 'nft' }, NOW)).toEqual([SOLANA])
})
