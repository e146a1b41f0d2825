import { expect, test } from 'vitest'
import { coinIdsFrom } from '../../plan/universe.ts'

test('a coin that moved to the next page while it was read counts once, at its first place', () => {
  const pages = [
    ['a', 'b', 'c'],
    ['c', 'd', 'e'],
  ]
  expect(coinIdsFrom(pages, 4)).toEqual(['a', 'b', 'c', 'd'])
  expect(coinIdsFrom(pages, 10)).toEqual(['a', 'b', 'c', 'd', 'e'])
  expect(coinIdsFrom(pages, null)).toEqual(['a', 'b', 'c', 'd', 'e'])
})
