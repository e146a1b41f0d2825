import { expect, test } from 'vitest'
import { meantSelector, parseSelector, selectorText } from '../../../config/values/coin-selector.ts'

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

const noSelectors =
  'top:0 top:01 top:-5 top:1e3 top:123456 TOP:5 top: category: categories:layer-1 ALL Inactive bitcoin'

test.each(['top:5 ', 'all ', '', ...noSelectors.split(' ')])('%j is none', (text) =>
  expect(parseSelector(text)).toBeNull(),
)

test.each([
  ['top20', 'top:20'],
  ['TOP:20', 'top:20'],
  ['topp:5', 'top:5'],
  ['top 20', 'top:20'],
  ['Top : 20', 'top:20'],
  ['Category:layer-1', 'category:layer-1'],
  ['ALL', 'all'],
  ['Inactive', 'inactive'],
  ['top:20', null],
  ['all', null],
  ['allbridge', null],
  ['category:TOP:5', null],
  // Ids that look so are coins.
  ['top', null],
  ['top-20-index', null],
  ['topcoin', null],
  ['20top', null],
  ['Bitcoin', null],
])('%j was meant as %j', (text, meant) => expect(meantSelector(text)).toBe(meant))
