import { expect, test } from 'vitest'
import { assetPlatforms } from '../../datasets/asset-platforms.ts'
import { nftPlatforms } from '../../datasets/nft-platforms.ts'
import { Warehouse } from './warehouse.ts'
import { wholeItem } from './whole-body.ts'

test('the service filters, and answers the newest list', () => {
  const warehouse = new Warehouse()
  const answers = () =>
    [{}, { filter: 'nft' }].map((params) => warehouse.answer('asset_platforms', params))
  expect(answers()).toEqual([[], []])
  const polygon = wholeItem('asset_platforms')
  const solana = { ...polygon, id: 'sol ana', image: null }
  const yesterday = { observedAtMs: Date.UTC(2029, 11, 31) }
  for (const dataset of [assetPlatforms, nftPlatforms]) {
    warehouse.load(dataset, [{ ...polygon, id: 'gone' }], {}, yesterday)
  }
  warehouse.load(assetPlatforms, [polygon, solana])
  warehouse.load(nftPlatforms, [solana])
  expect(answers()).toEqual([[polygon, solana], [solana]])
})
