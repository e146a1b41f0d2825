import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { type OperationId, operations } from '../../api/operations.ts'
import { recordedOperation } from '../../service/recordings/recording-names.ts'

const SAMPLES = new URL('../../../shared/samples/', import.meta.url)

if (!existsSync(SAMPLES)) console.log('skipped: the recordings are not on this machine')

describe.runIf(existsSync(SAMPLES))('recorded answers have the envelope of their operation', () => {
  const files = existsSync(SAMPLES) ? readdirSync(SAMPLES) : []
  const known = files.flatMap((file) => {
    const id = recordedOperation(file)
    return id === null ? [] : [{ file, id }]
  })
  test.each(known)('$file is $id', ({ file, id }) => {
    const body: unknown = JSON.parse(readFileSync(new URL(file, SAMPLES), 'utf8'))
    expect(operations[id].response.safeParse(body).error).toBeUndefined()
  })
})

test.each<[OperationId, unknown]>([
  ['ping', {}],
  ['coins/list', { error: 'coin not found' }],
  ['coins/markets', null],
  ['coins/{id}/market_chart', { status: 'OK' }],
  ['coins/{id}/market_chart/range', { prices: {}, market_caps: null }],
  ['coins/{id}/ohlc', 'text'],
  ['exchanges/{id}/tickers', { name: 'Binance' }],
  ['exchange_rates', { rates: [] }],
  ['coins/{id}', { id: 'bitcoin' }],
])('%s does not take %j', (id, body) => {
  expect(operations[id].response.safeParse(body).success).toBe(false)
})

test.each<[OperationId, unknown]>([
  ['coins/{id}', { id: 'bitcoin', symbol: null, name: null }],
  ['coins/{id}/history', { id: 'bitcoin', symbol: null, name: null }],
  ['exchanges/{id}', { name: null }],
  ['derivatives/exchanges/{id}', { name: null }],
])('%s takes %j: all but ids may be null', (id, body) => {
  expect(operations[id].response.safeParse(body).success).toBe(true)
})
