import { expect, test } from 'vitest'
import { bodyText } from '../../service/body-text.ts'

test.each([
  ['a negative zero in a row', [{ id: 'a', change: -0 }]],
  ['a negative zero in a point', { prices: [[1, -0]] }],
  ['plain values', { a: [1, null, 'é', true, 5e-324, 1.7976931348623157e308] }],
  ['a zero', [0]],
])('%s is parsed into the same again', (_, body) => {
  // toEqual tells 0 from -0.
  expect(JSON.parse(bodyText(body))).toEqual(body)
})

test('what holds no negative zero is written by the fast way', () => {
  expect(bodyText({ a: 0, b: undefined })).toBe('{"a":0}')
})
