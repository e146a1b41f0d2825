import { expect, test } from 'vitest'
import { coinIdsFrom, universeStep } from '../../plan/universe.ts'

test.each([
  { top: 10, perPage: 10, pages: 1 },
  { top: 250, perPage: 250, pages: 1 },
  { top: 251, perPage: 250, pages: 2 },
  { top: 1000, perPage: 250, pages: 4 },
])('top $top: $pages pages of $perPage', ({ top, perPage, pages }) => {
  expect(universeStep({ top })).toEqual({
    operation: 'coins/markets',
    params: { vs_currency: 'usd', order: 'market_cap_desc', per_page: String(perPage) },
    perPage,
    limit: top,
    mostCoins: top,
    mostPages: pages,
  })
})

test('a category is ranked to its end', () => {
  expect(universeStep({ category: 'layer-1' })).toEqual({
    operation: 'coins/markets',
    params: {
      vs_currency: 'usd',
      order: 'market_cap_desc',
      category: 'layer-1',
      per_page: '250',
    },
    perPage: 250,
    limit: null,
    mostCoins: 20_000,
    // 81 pages by the rule of a short last page, one that looks cut short, one probe.
    mostPages: 82,
  })
})

test.each([
  [{ all: true as const }, {}],
  [{ inactive: true as const }, { status: 'inactive' }],
])('%j are one list without pages', (selector, params) => {
  expect(universeStep(selector)).toEqual({
    operation: 'coins/list',
    params,
    perPage: 0,
    limit: null,
    mostCoins: 20_000,
    mostPages: 1,
  })
})

test('a coin that moved to the next page while it was read counts once, at its first place', () => {
  const pages = [
    ['a', 'b', 'c'],
    ['c', 'd', 'e'],
  ]
  expect(coinIdsFrom(pages, 4)).toEqual(['a', 'b', 'c', 'd'])
  expect(coinIdsFrom(pages, 10)).toEqual(['a', 'b', 'c', 'd', 'e'])
  expect(coinIdsFrom(pages, null)).toEqual(['a', 'b', 'c', 'd', 'e'])
})
