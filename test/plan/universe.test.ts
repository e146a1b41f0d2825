import { expect, test } from 'vitest'
import { coinIdsFrom, parseSelector, selectorText, universeStep } from '../../plan/universe.ts'

test.each([
  { text: 'top:1', top: 1 },
  { text: 'top:100', top: 100 },
  { text: 'top:0', top: null },
  { text: 'top:01', top: null },
  { text: 'top:-5', top: null },
  { text: 'top:1e3', top: null },
  { text: 'top:123456', top: null },
  { text: 'TOP:5', top: null },
  { text: 'top:5 ', top: null },
  { text: 'bitcoin', top: null },
])('$text', ({ text, top }) => {
  const selector = parseSelector(text)
  expect(selector?.top ?? null).toBe(top)
  if (selector !== null) expect(selectorText(selector)).toBe(text)
})

test.each([
  { top: 10, perPage: 10, pages: 1 },
  { top: 250, perPage: 250, pages: 1 },
  { top: 251, perPage: 250, pages: 2 },
  { top: 1000, perPage: 250, pages: 4 },
])('top $top: $pages pages of $perPage', ({ top, perPage, pages }) => {
  expect(universeStep({ top })).toEqual({
    operation: 'coins/markets',
    params: { vs_currency: 'usd', order: 'market_cap_desc', per_page: String(perPage) },
    pages,
    perPage,
  })
})

test('a coin that moved to the next page while it was read counts once, at its first place', () => {
  const pages = [
    ['a', 'b', 'c'],
    ['c', 'd', 'e'],
  ]
  expect(coinIdsFrom(pages, 4)).toEqual(['a', 'b', 'c', 'd'])
  expect(coinIdsFrom(pages, 10)).toEqual(['a', 'b', 'c', 'd', 'e'])
})
