import { expect, test } from 'vitest'
import { rowsMissingIn } from './rows-in-output.ts'
import { isSameOutput } from './same-output.ts'

test.each([
  ['a\nb\n', 'a\nb\n', true],
  ['a  \nb', 'a\nb  \n\n', true],
  ['a\nb\n', 'a\nc\n', false],
  ['a\n', 'a\nb\n', false],
  ['a.c\n', 'abc\n', false],
  ['a\n...\nd\n', 'a\nb\nc\nd\n', true],
  ['a\n...\nd\n', 'a\nd\n', true],
  ['a\n...\nd\n', 'a\nb\n', false],
  ['09:01:02  Done (1.25s)\n', '23:59:59  Done (0.03s)\n', true],
  ['09:01:02  Done PASS=3\n', '23:59:59  Done PASS=4\n', false],
  ['coinlake-20261121T081625-19\n', 'coinlake-20261122T000000-a7\n', true],
])('%j shown, %j printed: %s', (shown, printed, isSame) => {
  expect(isSameOutput(shown, printed)).toBe(isSame)
})

test.each([
  ['| 2026-10-01 | 29 | 116,001.01 |', []],
  ['2026-10   29 1.1600101e+05', []],
  ['2026-10-01 29.0 116001.0099', []],
  ['2026-10-01 30 116001.01', ['2026-10-01 29 116001.01']],
  ['2026-09-01 29 116001.01', ['2026-10-01 29 116001.01']],
  ['2026-10-01 29\n116001.01', ['2026-10-01 29 116001.01']],
  ['2026-10-01 29 116001', ['2026-10-01 29 116001.01']],
])('the row in %j', (output, missing) => {
  expect(rowsMissingIn(`head 1 2\n${output}\n`, [['2026-10-01', '29', '116001.01']])).toEqual(
    missing,
  )
})
