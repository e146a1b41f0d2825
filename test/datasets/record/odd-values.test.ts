import { describe, expect, test } from 'vitest'
import { absentText, extraText, readRecord } from '../../../datasets/record/read-record.ts'
import { field, type RecordField } from '../../../datasets/record/record-field.ts'
import { writeRecord } from '../../../datasets/record/write-record.ts'

const DAY: RecordField = field('day', { type: 'date', unit: 'UTC', description: 'A day.' })
const READERS: RecordField = field(
  'readers',
  { type: 'double', unit: 'users', description: 'Readers.' },
  { mayBeText: true },
)

function read(one: RecordField, source: unknown) {
  return readRecord([one], source, '$')
}

/** Reads a value into its column and writes it again. A date is written from its text, as a table returns it. */
function back(one: RecordField, source: unknown): unknown {
  const record = read(one, source)
  if ('rule' in record) return record.rule
  const value = record.values[one.column.name] ?? null
  const isDay = one.column.type === 'date' && typeof value === 'number'
  return writeRecord([one], {
    [one.column.name]: isDay ? new Date(value).toISOString().slice(0, 10) : value,
    _absent: absentText(record),
    _extra: extraText(record),
  })
}

describe('calendar days', () => {
  test.each([
    ['2009-01-03', Date.UTC(2009, 0, 3)],
    ['1969-12-31', -86_400_000],
    ['2024-02-29', Date.UTC(2024, 1, 29)],
  ])('%s is the start of that day, and comes back', (day, ms) => {
    expect(read(DAY, { day })).toMatchObject({ values: { day: ms }, extra: new Map() })
    expect(back(DAY, { day })).toEqual({ day })
  })

  test.each(['2009-02-30', '2009-1-3', '2009-01-03T00:00:00Z', '0000-01-01', '', 20_090_103, true])(
    '%j is no calendar day',
    (day) => {
      expect(read(DAY, { day })).toMatchObject({ rule: 'not_a_date', path: '$.day' })
    },
  )

  test.each([{ day: null }, {}])('%j comes back', (source) => {
    expect(back(DAY, source)).toEqual(source)
  })
})

describe('numbers that come as text at times', () => {
  test.each([
    [3498, 3498],
    ['14074.0', 14_074],
    ['99', 99],
    ['1e-11', 1e-11],
  ])('%j has the number %d, and comes back in its own form', (readers, value) => {
    expect(read(READERS, { readers })).toMatchObject({ values: { readers: value } })
    expect(back(READERS, { readers })).toEqual({ readers })
  })

  test.each([
    ['many', 'not_a_number'],
    ['', 'not_a_number'],
    [true, 'not_a_number'],
    ['1e400', 'not_finite'],
  ])('%j breaks a rule', (readers, rule) => {
    expect(read(READERS, { readers })).toMatchObject({ rule, path: '$.readers' })
  })
})
