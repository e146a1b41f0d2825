import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { jsonText } from '../../../datasets/record/json-text.ts'

test('JSON.parse turns the text into the same value again', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
      expect(JSON.parse(jsonText(value))).toEqual(value)
    }),
  )
  expect(Object.is(JSON.parse(jsonText(-0)), -0)).toBe(true)
  expect(JSON.parse(jsonText([Infinity, -Infinity]))).toEqual([Infinity, -Infinity])
})

test('a body that is nested to break its reader is kept as far as anybody looks', () => {
  const nested = JSON.parse('[1,'.repeat(100_000) + '2' + ']'.repeat(100_000)) as unknown
  const text = jsonText(nested)
  expect(text.startsWith('[1,[1,')).toBe(true)
  expect(text).toContain('nested too deeply')
  expect(() => JSON.parse(text)).not.toThrow()
})
