import { expect, test } from 'vitest'
import { readRecord } from '../../../datasets/record/read-record.ts'
import { field, type RecordField } from '../../../datasets/record/record-field.ts'

const DAY: RecordField = field('day', { type: 'date', unit: 'UTC', description: 'A day.' })
const READERS: RecordField = field(
  'readers',
  { type: 'double', unit: 'users', description: 'Readers.' },
  { mayBeText: true },
)

function read(one: RecordField, source: unknown) {
  return readRecord([one], source, '$')
}

test.each(['2009-02-30', '2009-1-3', '2009-01-03T00:00:00Z', '0000-01-01', '', 20_090_103, true])(
  '%j is no calendar day',
  (day) => {
    expect(read(DAY, { day })).toMatchObject({ rule: 'not_a_date', path: '$.day' })
  },
)

test('29 February of a leap year is a day', () => {
  const values = { day: Date.UTC(2024, 1, 29) }
  expect(read(DAY, { day: '2024-02-29' })).toMatchObject({ values })
})

test.each([
  ['many', 'not_a_number'],
  ['', 'not_a_number'],
  [true, 'not_a_number'],
  ['1e400', 'not_finite'],
])('%j is no number, where numbers come as text at times', (readers, rule) => {
  expect(read(READERS, { readers })).toMatchObject({ rule, path: '$.readers' })
})

test.each([
  ['99', 99],
  ['1e-11', 1e-11],
])('%j has the number %d', (readers, value) => {
  expect(read(READERS, { readers })).toMatchObject({ values: { readers: value } })
})
