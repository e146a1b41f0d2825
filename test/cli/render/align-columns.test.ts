import stringWidth from 'string-width'
import { expect, test } from 'vitest'
import { alignColumns } from '../../../cli/render/align-columns.ts'
import { clipToWidth } from '../../../cli/render/display-width.ts'

test('columns begin in one cell of a terminal, however wide the characters before them', () => {
  const names = [
    'bitcoin',
    '日本円',
    '👩‍🚀🇯🇵',
    'e\u0301te\u0301',
    'ｗｉｄｅ',
    '한국',
    'a\u202e\u001b[2J',
    '',
  ]
  const lines = alignColumns(
    ['name', 'rows', 'why'],
    names.map((name) => [name, '12', 'so']),
    [1],
  )
  const starts = lines.slice(1).map((line) => stringWidth(line.slice(0, line.lastIndexOf('12'))))
  expect(new Set(starts).size).toBe(1)
  expect(lines.at(-2)).toContain('a\\u202e\\u001b[2J')
})

test('a text is cut by cells, and never within a character', () => {
  expect(clipToWidth('日本円です', 6)).toBe('日本…')
  expect(clipToWidth('ab👩‍🚀cd', 5)).toBe('ab👩‍🚀…')
  expect(clipToWidth('e\u0301te\u0301', 3)).toBe('e\u0301te\u0301')
})
