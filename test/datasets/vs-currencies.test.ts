import { expect, test } from 'vitest'
import { vsCurrencies } from '../../datasets/vs-currencies.ts'
import { tablesOf } from './tables-of.ts'

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
