import { expect, test } from 'vitest'
import {
  readKeyedRows,
  type RowFaults,
  writeKeyedParts,
} from '../../../datasets/record/keyed-rows.ts'
import { absentText, extraText } from '../../../datasets/record/read-record.ts'
import { amount } from '../../../datasets/record/record-field.ts'

const FIELDS = ['cap', 'volume', 'share'].map((name) => amount(name, 'USD', 'A number.'))

function read(maps: Record<string, object>) {
  const faults: RowFaults = { rejected: [], unknownPaths: {} }
  const parts = new Map(Object.entries(maps)) as Parameters<typeof readKeyedRows>[1]
  return { rows: readKeyedRows(FIELDS, parts, '$.data', faults), faults }
}

test('maps are joined by their keys, and come back', () => {
  const maps = { cap: { usd: 2 ** 60, btc: 1e-11 }, volume: { __proto__x: 1, usd: null } }
  const { rows, faults } = read(maps)
  expect(faults).toEqual({ rejected: [], unknownPaths: {} })
  expect(rows.map(({ key, values, absent }) => ({ key, values, absent }))).toEqual([
    { key: 'usd', values: { cap: 2 ** 60, volume: null, share: null }, absent: ['share'] },
    { key: 'btc', values: { cap: 1e-11, volume: null, share: null }, absent: ['volume', 'share'] },
    { key: '__proto__x', values: { cap: null, volume: 1, share: null }, absent: ['cap', 'share'] },
  ])
  const stored = rows.map((row) => ({
    ...(row.values as Record<string, number | null>),
    code: row.key,
    _absent: absentText(row),
    _extra: extraText(row),
  }))
  expect(Object.fromEntries(writeKeyedParts(FIELDS, stored, 'code'))).toEqual(maps)
})

test('keys of every object are keys like others', () => {
  const { rows } = read({ cap: JSON.parse('{"__proto__": 1, "constructor": 2}') as object })
  expect(rows.map(({ key, values }) => [key, values['cap']])).toEqual([
    ['__proto__', 1],
    ['constructor', 2],
  ])
})

test.each([
  ['not_a_number', '$.data.cap.usd', { usd: '1' }, '"1"'],
  ['not_finite', '$.data.cap.usd', { usd: Infinity }, '1e999'],
  ['not_a_text', '$.data.cap.\uFFFD', { '\uD800': 1 }, '{"\\ud800":1}'],
])('%s costs one member', (rule, path, bad, raw) => {
  const { rows, faults } = read({ cap: { ...bad, btc: 1 } })
  expect(faults.rejected).toEqual([{ rule, path, raw }])
  expect(rows.map(({ key }) => key)).toEqual(['btc'])
})
