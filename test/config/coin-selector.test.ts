import { expect, test } from 'vitest'
import { parseSelector, selectorText } from '../../config/coin-selector.ts'

test.each([
  ['top:1', { top: 1 }],
  ['top:100', { top: 100 }],
  ['category:layer-1', { category: 'layer-1' }],
  ['category:_odd [one]:2', { category: '_odd [one]:2' }],
  ['all', { all: true }],
  ['inactive', { inactive: true }],
])('%s', (text, selector) => {
  expect(parseSelector(text)).toEqual(selector)
  expect(selectorText(parseSelector(text)!)).toBe(text)
})

test.each([
  'top:0',
  'top:01',
  'top:-5',
  'top:1e3',
  'top:123456',
  'TOP:5',
  'top:5 ',
  'top:',
  'category:',
  'categories:layer-1',
  'ALL',
  'all ',
  'Inactive',
  'bitcoin',
  '',
])('%j is none', (text) => expect(parseSelector(text)).toBeNull())
