import { assert, constantFrom, oneof, property, stringMatching } from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Row } from '../../../datasets/dataset.ts'
import { absentText, extraText, readRecord } from '../../../datasets/record/read-record.ts'
import { child, columnsOf, numberText, text, time } from '../../../datasets/record/record-field.ts'
import { writeRecord } from '../../../datasets/record/write-record.ts'

const FIELDS = [
  text('name', 'Name.'),
  numberText('price', 'USD', 'Price.'),
  numberText('data.cap', 'USD', 'Cap.', { text: 'display' }),
  numberText('data.coins', 'coins', 'Coins.', { type: 'integer', name: 'coin_count' }),
  child('data.changes', 'map', 'Changes by currency.'),
  time('traded', 'traded_at', 'epoch_s', 'Time.'),
]

function read(source: unknown) {
  const record = readRecord(FIELDS, source, '$')
  if ('rule' in record) throw new Error(`${record.rule} at ${record.path}`)
  return record
}

/** Through columns and back, children given back as they were read. */
function back(source: unknown): unknown {
  const record = read(source)
  const row: Row = { ...record.values, _absent: absentText(record), _extra: extraText(record) }
  row['data_changes'] = JSON.stringify(record.children.get('data_changes') ?? {})
  return writeRecord(FIELDS, row)
}

const DIGITS_100 = `${'1234567890'.repeat(5)}.${'0987654321'.repeat(5)}`

describe('numbers sent as text', () => {
  test('stand before their exact text, and children have no column', () => {
    expect(columnsOf(FIELDS).map(({ name, type, unit }) => [name, type, unit])).toEqual([
      ['name', 'string', null],
      ['price', 'double', 'USD'],
      ['price_text', 'string', 'USD'],
      ['data_cap', 'double', 'USD'],
      ['data_cap_text', 'string', 'USD'],
      ['coin_count', 'integer', 'coins'],
      ['coin_count_text', 'string', 'coins'],
      ['traded_at', 'timestamp', 'UTC'],
    ])
  })

  test.each([
    ['43692.79', 43692.79],
    ['-0.00000000001', -1e-11],
    [DIGITS_100, 1.2345678901234567e49],
    ['9007199254740993', 9007199254740992],
    ['1.5E-07', 1.5e-7],
    ['00.10', 0.1],
    ['1e400', null],
  ])('decimal %s', (source, nearest) => {
    expect(read({ price: source }).values).toMatchObject({ price: nearest, price_text: source })
  })

  test.each([
    ['$521,967,819', 521_967_819],
    ['-$1,234.50', -1234.5],
    ['0.002 BTC', 0.002],
    ['1e-05 ETH', 0.00001],
    ['12', 12],
    ['$23.45', 23.45],
    ['$2,412.46', 2412.46],
    ['$0.0<sub title="0.000001532">5</sub>1532', 0.000001532],
    ['$0.0<sub title="$0.000003859">5</sub>3859', 0.000003859],
    ['-0.0<sub>12</sub>75', -0.00000000000075],
    ['$0.0<sub title="$0.00">2</sub>', 0],
    ['$0.0<sub title="0.00001532">5</sub>1532', null],
    ['$0.0<sub title="tiny">5</sub>1532', null],
    ['$0.1<sub>5</sub>1532', null],
    ['', null],
    ['-', null],
    ['about 3', null],
    ['3 apples each', null],
    ['\u00A05', null],
  ])('display %s', (source, nearest) => {
    const { values } = read({ data: { cap: source, coins: '573' } })
    expect(values).toMatchObject({ data_cap: nearest, data_cap_text: source, coin_count: 573 })
  })

  test.each([
    ['573.5', null],
    ['9007199254740993', null],
    ['-0', -0],
  ])('whole number %s', (source, whole) => {
    expect(read({ data: { coins: source } }).values['coin_count']).toBe(whole)
  })

  test('one that comes as a number is read all the same, and goes back as a number', () => {
    const source = { name: null, price: 1.5e-7, data: null, traded: null }
    expect(read(source).values).toMatchObject({ price: 1.5e-7, price_text: '1.5e-7' })
    expect(back(source)).toEqual(source)
    const wide = JSON.parse('{"price":60123.123456789012345678}') as object
    expect(read(wide).values['price_text']).toBe('60123.12345678901')
    const about = FIELDS.find(({ path }) => path[0] === 'price')!.column.description
    expect(about).toContain('nearest double where the source sent a number')
  })

  const EITHER = [
    numberText('price', 'USD', 'Price.', { text: 'display', mayBeNumber: true }),
    numberText('data.cap', 'USD', 'Cap.', { mayBeNumber: true }),
  ]
  test.each([
    [
      { price: 0.1, data: { cap: -0 } },
      { price: 0.1, data_cap: -0 },
    ],
    [{ price: '$2.50' }, { price: 2.5, price_text: '$2.50' }],
    [
      { price: 'much', data: { cap: '1.0' } },
      { price: null, data_cap: 1, data_cap_text: '1.0' },
    ],
    [
      { price: null, data: { cap: null } },
      { price_text: null, data_cap_text: null },
    ],
  ])(
    '%j: a number that comes either way fills its own column, and comes back',
    (source, values) => {
      const record = readRecord(EITHER, source, '$')
      if ('rule' in record) throw new Error(record.rule)
      expect(record.values).toMatchObject(values)
      if (typeof source.price === 'number') {
        expect(record.values).toMatchObject({ price_text: null, data_cap_text: null })
        expect(extraText(record)).toBeNull()
      }
      const row = { ...record.values, _absent: absentText(record), _extra: extraText(record) }
      expect(writeRecord(EITHER, row)).toEqual(source)
    },
  )

  test.each([
    ['not_a_decimal', '$.price', { price: '$5' }],
    ['not_a_decimal', '$.price', { price: '' }],
    ['not_a_text', '$.price', { price: true }],
    ['not_finite', '$.price', { price: Infinity }],
    ['not_a_text', '$.data.cap', { data: { cap: [] } }],
    ['not_a_timestamp', '$.traded', { traded: '1621346317' }],
    ['not_a_timestamp', '$.traded', { traded: 1e13 }],
    ['not_an_object', '$.data.changes', { data: { changes: [] } }],
    ['not_an_object', '$.data.changes', { data: { changes: 'x' } }],
  ])('%s at %s', (rule, path, source) => {
    expect(readRecord(FIELDS, source, '$')).toEqual({ rule, path, value: source })
  })
})

test.each([
  ['seconds', 1_621_346_317, 1_621_346_317_000],
  ['part of a second', 1_621_346_317.25, 1_621_346_317_250],
  ['part of a millisecond', 1.0001, 1000],
])('epoch %s', (_, source, ms) => {
  expect(read({ traded: source }).values['traded_at']).toBe(ms)
  expect(back({ traded: source })).toEqual({ traded: source })
})

test('any decimal text comes back as it came, beside the number that Number() makes of it', () => {
  const digits = stringMatching(/^-?\d{1,60}\.\d{1,60}$/)
  assert(
    property(oneof(digits, constantFrom('0', '-0', '1e5')), (source) => {
      const { values } = read({ price: source })
      expect(values).toMatchObject({ price: Number(source), price_text: source })
    }),
  )
})
