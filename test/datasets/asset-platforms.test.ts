import { describe, expect, test } from 'vitest'
import { assetPlatforms } from '../../datasets/asset-platforms.ts'
import { jsonText } from '../../datasets/json-text.ts'
import { nftPlatforms } from '../../datasets/nft-platforms.ts'
import { pageOf } from './context.ts'
import { samples } from './samples.ts'
import { tablesOf } from './tables-of.ts'
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

function answerTo(body: unknown): unknown {
  const warehouse = new Warehouse()
  warehouse.load(assetPlatforms, body, pageOf(assetPlatforms))
  return warehouse.answer(OPERATION, {}, NOW)
}

test('columns hold what they are named after', () => {
  const { rows, page } = tablesOf(assetPlatforms, [POLYGON, SOLANA])
  const seen = { first_seen_at: NOW, last_seen_at: NOW, _absent: null, _extra: null }
  expect(rows).toEqual({
    asset_platforms: [
      {
        platform_id: 'polygon-pos',
        chain_identifier: 137,
        name: 'Polygon POS',
        shortname: 'MATIC',
        native_coin_id: 'matic-network',
        image_thumb: 'https://example.org/t.png',
        image_small: 'missing_small.png',
        image_large: null,
        list_ordinal: 0,
        ...seen,
      },
      {
        platform_id: 'sol ana',
        chain_identifier: null,
        name: 'Solana 🦄',
        shortname: '',
        native_coin_id: null,
        image_thumb: null,
        image_small: null,
        image_large: null,
        list_ordinal: 1,
        ...seen,
      },
    ],
  })
  expect(page).toMatchObject({ rejected: [], unknownPaths: {}, itemCount: 2 })
})

test('the filtered listing only tells which platforms have NFTs', () => {
  const { rows } = tablesOf(nftPlatforms, [SOLANA])
  const seen = { first_seen_at: NOW, last_seen_at: NOW }
  expect(rows).toEqual({ nft_platforms: [{ platform_id: 'sol ana', ...seen, list_ordinal: 0 }] })
})

describe('recordings', () => {
  const files = samples('asset_platforms--')
  test.skipIf(files.length === 0)('are all there', () => expect(files).toHaveLength(3))
  test.each(files)('%s comes back, and nothing of it is unknown', (_, body) => {
    expect(answerTo(body)).toEqual(body)
    expect(tablesOf(assetPlatforms, body).page).toMatchObject({ rejected: [], unknownPaths: {} })
  })
})

const { image: _image, native_coin_id: _coin, ...old } = POLYGON
test.each<[string, object]>([
  ['as in 2021', old],
  ['a logo with one size', { ...POLYGON, image: { small: 'a.png' } }],
  ['an object of nulls', { ...POLYGON, image: { thumb: null, small: null, large: null } }],
  ['an empty object', { ...POLYGON, image: {} }],
  ['another size', { ...POLYGON, image: { thumb: 'a', small: 'b', large: 'c', huge: 'd' } }],
  ['-0', { ...POLYGON, chain_identifier: -0 }],
  ['keys that are new', { ...POLYGON, mood: { deep: [-0, Infinity] } }],
])('%s: comes back as it was', (_, item) => expect(answerTo([item])).toEqual([item]))

test.each<[string, string, unknown]>([
  ['missing_platform_id', '$[1].id', { ...POLYGON, id: null }],
  ['not_an_integer', '$[1].chain_identifier', { ...POLYGON, chain_identifier: '137' }],
  ['not_an_integer', '$[1].chain_identifier', { ...POLYGON, chain_identifier: 2 ** 53 }],
  ['not_a_text', '$[1].shortname', { ...POLYGON, shortname: 5 }],
  ['not_an_object', '$[1].image', { ...POLYGON, image: 'a.png' }],
  ['not_a_text', '$[1].image.small', { ...POLYGON, image: { small: 5 } }],
  ['not_an_object', '$[1]', null],
])('%s at %s costs one platform', (rule, path, bad) => {
  const { page, rows } = tablesOf(assetPlatforms, [SOLANA, bad])
  expect(page.rejected).toEqual([{ rule, path, raw: jsonText(bad) }])
  expect(rows['asset_platforms']).toHaveLength(1)
})

test.each([[null], [{}], ['<html></html>'], [''], [{ error: 'x' }]])(
  'the body %j is refused whole',
  (body) => expect(() => tablesOf(assetPlatforms, body)).toThrow('$ is no array'),
)

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

test('each dataset asks once, the second with the filter', () => {
  const context = { nowMs: NOW, attempt: 1, maxHistoryDays: null } as const
  const paramsOf = (dataset: typeof assetPlatforms) =>
    dataset.steps(pageOf(dataset).slice, context).map(({ params }) => params)
  expect(paramsOf(assetPlatforms)).toEqual([{}])
  expect(paramsOf(nftPlatforms)).toEqual([{ filter: 'nft' }])
})

test('a bad row of the filtered list goes to quarantine, a body of another shape is refused', () => {
  const { page, rows } = tablesOf(nftPlatforms, [{ id: null }, SOLANA])
  expect(page.rejected).toEqual([
    { rule: 'missing_platform_id', path: '$[0].id', raw: '{"id":null}' },
  ])
  expect(rows['nft_platforms']).toMatchObject([{ platform_id: 'sol ana', list_ordinal: 1 }])
  expect(() => tablesOf(nftPlatforms, { error: 'x' })).toThrow('$ is no array')
})
