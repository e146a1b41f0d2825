import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { OperationId } from '../../api/operation.ts'
import { operations } from '../../api/operations.ts'

const SAMPLES = new URL('../../../shared/samples/', import.meta.url)
const PREFIXES: Record<string, OperationId> = {
  ping: 'ping',
  'coins-list': 'coins/list',
  'coins-markets': 'coins/markets',
  'coins-id-market_chart': 'coins/{id}/market_chart',
  'coins-id-market_chart-range': 'coins/{id}/market_chart/range',
  'coins-id-ohlc': 'coins/{id}/ohlc',
  exchanges: 'exchanges',
  'exchanges-list': 'exchanges/list',
  'exchanges-id-tickers': 'exchanges/{id}/tickers',
  exchange_rates: 'exchange_rates',
}

/** The longest known prefix before the `--` of a recording's name, at the end of a word. */
function operationOf(file: string): OperationId | null {
  const words = file.split('--')[0]!.split('-')
  for (let count = words.length; count > 0; count--) {
    const id = PREFIXES[words.slice(0, count).join('-')]
    if (id !== undefined) {
      const rest = words.slice(count)
      // `exchanges-id` and `exchanges-id-volume_chart` are other operations.
      return rest[0] === 'id' ? null : id
    }
  }
  return null
}

if (!existsSync(SAMPLES)) console.log('skipped: the recordings are not on this machine')

describe.runIf(existsSync(SAMPLES))('recorded answers have the envelope of their operation', () => {
  const files = existsSync(SAMPLES) ? readdirSync(SAMPLES) : []
  const known = files.flatMap((file) => {
    const id = file.endsWith('.json') ? operationOf(file) : null
    return id === null ? [] : [{ file, id }]
  })
  test.each(known)('$file is $id', ({ file, id }) => {
    const body: unknown = JSON.parse(readFileSync(new URL(file, SAMPLES), 'utf8'))
    expect(operations[id].response.safeParse(body).error).toBeUndefined()
  })
  test('each operation has a recording', () => {
    expect(new Set(known.map(({ id }) => id))).toEqual(new Set(Object.keys(operations)))
  })
})

test.each<[OperationId, unknown]>([
  ['ping', {}],
  ['coins/list', { error: 'coin not found' }],
  ['coins/markets', null],
  ['coins/{id}/market_chart', { prices: [], market_caps: [] }],
  ['coins/{id}/market_chart/range', { prices: {}, market_caps: [], total_volumes: [] }],
  ['coins/{id}/ohlc', 'text'],
  ['exchanges/{id}/tickers', { name: 'Binance' }],
  ['exchange_rates', { rates: [] }],
])('%s does not take %j', (id, body) => {
  expect(operations[id].response.safeParse(body).success).toBe(false)
})
