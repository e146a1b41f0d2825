import { assert, property, string, uniqueArray } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { vsCurrencies } from '../../datasets/vs-currencies.ts'
import { pageOf } from './context.ts'
import { samples } from './samples.ts'
import { tablesOf } from './tables-of.ts'
import { Warehouse } from './warehouse.ts'

const OPERATION = 'simple/supported_vs_currencies'
const NOW = Date.UTC(2030, 0, 1)

function answerTo(body: unknown): unknown {
  const warehouse = new Warehouse()
  warehouse.load(vsCurrencies, body, pageOf(vsCurrencies))
  return warehouse.answer(OPERATION, {}, NOW)
}

test('one row per code, in the order of the list', () => {
  const { rows, page } = tablesOf(vsCurrencies, ['usd', 'xau', 'sats'])
  const seen = { first_seen_at: NOW, last_seen_at: NOW }
  expect(rows['vs_currencies']).toEqual([
    { currency: 'usd', ...seen, list_ordinal: 0 },
    { currency: 'xau', ...seen, list_ordinal: 1 },
    { currency: 'sats', ...seen, list_ordinal: 2 },
  ])
  expect(page).toMatchObject({ rejected: [], unknownPaths: {}, itemCount: 3 })
  expect(page.counts).toEqual({ outsideSlice: 0, duplicate: 0, future: 0 })
})

describe('recordings', () => {
  const files = samples('simple-supported_vs_currencies--')
  test.skipIf(files.length === 0)('are all there', () => expect(files).toHaveLength(2))
  test.each(files)('%s comes back', (_, body) => expect(answerTo(body)).toEqual(body))
})

test('whatever text a code is, it comes back', () => {
  assert(
    property(uniqueArray(string({ unit: 'binary' })), (codes) => {
      expect(answerTo(codes)).toEqual(codes)
    }),
  )
})

test('a code that is no text costs itself; one listed again counts as duplicate, at its last place', () => {
  const body = ['usd', null, 5, ['eur'], '\uD800', 'btc', 'usd']
  const { rows, page } = tablesOf(vsCurrencies, body)
  expect(rows['vs_currencies']!.map((row) => [row['currency'], row['list_ordinal']])).toEqual([
    ['btc', 5],
    ['usd', 6],
  ])
  expect(page.rejected).toEqual([
    { rule: 'not_a_text', path: '$[1]', raw: 'null' },
    { rule: 'not_a_text', path: '$[2]', raw: '5' },
    { rule: 'not_a_text', path: '$[3]', raw: '["eur"]' },
    { rule: 'not_a_text', path: '$[4]', raw: '"\\ud800"' },
  ])
  expect(page.counts.duplicate).toBe(1)
  expect(page.itemCount).toBe(7)
})

test('the newest list answers, and what is gone from it stays in the table', () => {
  const warehouse = new Warehouse()
  for (const [day, codes] of [
    [1, ['usd', 'vef']],
    [2, ['eur', 'usd']],
  ] as const) {
    const observedAtMs = Date.UTC(2029, 0, day)
    warehouse.load(vsCurrencies, codes, pageOf(vsCurrencies, {}, { observedAtMs }))
  }
  expect(warehouse.answer(OPERATION, {}, NOW)).toEqual(['eur', 'usd'])
  expect(warehouse.tables.get('vs_currencies')!.map((row) => row['currency'])).toContain('vef')
})

test.each([[null], [{}], ['<html></html>'], [''], [{ error: 'x' }], [5]])(
  'the body %j is refused whole',
  (body) => expect(() => tablesOf(vsCurrencies, body)).toThrow('$ is no array'),
)

test('an empty warehouse answers an empty list', () => {
  expect(new Warehouse().answer(OPERATION, {}, NOW)).toEqual([])
})
