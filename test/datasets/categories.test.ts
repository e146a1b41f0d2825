import { describe, expect, test } from 'vitest'
import { categories } from '../../datasets/categories.ts'
import { jsonText } from '../../datasets/json-text.ts'
import { pageOf } from './context.ts'
import { samples } from './samples.ts'
import { tablesOf } from './tables-of.ts'
import { Warehouse } from './warehouse.ts'

const OPERATION = 'coins/categories/list'
const NOW = Date.UTC(2030, 0, 1)
const LAYER_1 = { category_id: 'layer-1', name: 'Layer 1 (L1)' }

function answerTo(body: unknown): unknown {
  const warehouse = new Warehouse()
  warehouse.load(categories, body, pageOf(categories))
  return warehouse.answer(OPERATION, {}, NOW)
}

test('columns hold what they are named after', () => {
  const { rows, page } = tablesOf(categories, [LAYER_1, { category_id: '_x [old]', name: '🦄' }])
  const seen = { first_seen_at: NOW, last_seen_at: NOW, _absent: null, _extra: null }
  expect(rows['categories']).toEqual([
    { category_id: 'layer-1', name: 'Layer 1 (L1)', list_ordinal: 0, ...seen },
    { category_id: '_x [old]', name: '🦄', list_ordinal: 1, ...seen },
  ])
  expect(page).toMatchObject({ rejected: [], unknownPaths: {}, itemCount: 2 })
})

describe('recordings', () => {
  const files = samples('coins-categories-list--')
  test.skipIf(files.length === 0)('are all there', () => expect(files).toHaveLength(3))
  test.each(files)('%s comes back, and nothing of it is unknown', (_, body) => {
    expect(answerTo(body)).toEqual(body)
    expect(tablesOf(categories, body).page).toMatchObject({ rejected: [], unknownPaths: {} })
  })
})

test.each([
  ['a name that is null', { category_id: 'x', name: null }],
  ['no name', { category_id: 'x' }],
  ['half a character', { category_id: 'x', name: '\uD800' }],
  ['keys that are new', { ...LAYER_1, coins: 2 ** 60, more: { deep: [-0, Infinity] } }],
])('%s comes back as it was', (_, item) => expect(answerTo([item])).toEqual([item]))

test('keys that are new are counted', () => {
  const body = [
    { ...LAYER_1, coins: 1 },
    { category_id: 'y', name: 'Y', coins: 2 },
  ]
  expect(tablesOf(categories, body).page.unknownPaths).toEqual({ '$[*].coins': 2 })
})

test.each([
  ['missing_category_id', '$[1].category_id', { id: 'x', name: 'X' }],
  ['missing_category_id', '$[1].category_id', { category_id: null, name: 'X' }],
  ['not_a_text', '$[1].category_id', { category_id: 5, name: 'X' }],
  ['not_a_text', '$[1].name', { category_id: 'x', name: {} }],
  ['not_an_object', '$[1]', null],
  ['not_an_object', '$[1]', 'layer-1'],
])('%s at %s costs one row', (rule, path, bad) => {
  const { page, rows } = tablesOf(categories, [LAYER_1, bad])
  expect(page.rejected).toEqual([{ rule, path, raw: jsonText(bad) }])
  expect(rows['categories']).toHaveLength(1)
})

test.each([[null], [{}], ['<html></html>'], [''], [{ error: 'x' }]])(
  'the body %j is refused whole',
  (body) => expect(() => tablesOf(categories, body)).toThrow('$ is no array'),
)

test('the newest list answers; nothing at all is an empty list', () => {
  const warehouse = new Warehouse()
  expect(warehouse.answer(OPERATION, {}, NOW)).toEqual([])
  const gone = { category_id: 'gone', name: 'Gone' }
  const dayMs = (day: number) => ({ observedAtMs: Date.UTC(2029, 0, day) })
  warehouse.load(categories, [gone], pageOf(categories, {}, dayMs(1)))
  warehouse.load(categories, [LAYER_1], pageOf(categories, {}, dayMs(2)))
  expect(warehouse.answer(OPERATION, {}, NOW)).toEqual([LAYER_1])
})
