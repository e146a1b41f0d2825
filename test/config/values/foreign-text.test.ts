import { assert, integer, jsonValue, property, string } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { printableJson, printable, printableLines } from '../../../config/values/foreign-text.ts'

/** Characters that a terminal, a log viewer or a browser obeys, by Unicode's own names. */
const OBEYED = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u
/** Any UTF-16 unit, halves of pairs among them. */
const UNIT = integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit))

describe('one line', () => {
  test.each([
    ['\u001b[2J', '\\u001b[2J'],
    ['\u001b]0;title\u0007', '\\u001b]0;title\\u0007'],
    ['a\u009b31mb', 'a\\u009b31mb'],
    ['\u0000\u007f\b', '\\u0000\\u007f\\u0008'],
    ['a\r\n\tb', 'a\\r\\n\\tb'],
    ['\u202egnp.exe', '\\u202egnp.exe'],
    ['\u2066\u2069\u200e\u200f\u061c', '\\u2066\\u2069\\u200e\\u200f\\u061c'],
    ['a\u2028b\u2029c', 'a\\u2028b\\u2029c'],
    ['half \ud83d', 'half \\ud83d'],
    ['\u{e0041}', '\\udb40\\udc41'],
    ['\u200b\ufeff', '\\u200b\\ufeff'],
  ])('%j', (text, shown) => {
    expect(printable(text)).toBe(shown)
  })

  test.each(['bitcoin', '日本', 'e\u0301', '👩‍🚀', 'שלום', 'a\\b', '<script>|`'])(
    'what is only drawn stays: %s',
    (text) => {
      expect(printable(text)).toBe(text)
    },
  )

  test('any text: nothing is left that is obeyed, and a second time changes nothing', () => {
    const texts = string({ unit: UNIT })
    assert(
      property(texts, (text) => {
        const shown = printable(text)
        expect(shown.replaceAll('\u200d', '')).not.toMatch(OBEYED)
        expect(printable(shown)).toBe(shown)
      }),
    )
  })
})

test('lines and tabs of our own stay', () => {
  expect(printableLines('a\n\tb\r\u001b')).toBe('a\n\tb\\u000d\\u001b')
})

test('JSON is the same value, whatever it holds', () => {
  assert(
    property(jsonValue({ stringUnit: UNIT, maxDepth: 2 }), (value) => {
      const text = printableJson(value, 2)
      expect(text.replaceAll(/[\n\u200d]/g, '')).not.toMatch(OBEYED)
      expect(JSON.stringify(JSON.parse(text))).toBe(JSON.stringify(value))
    }),
  )
})
