import { describe, expect, test } from 'vitest'
import { type OperationId, operations } from '../../api/operations.ts'
import type { ParamValues } from '../../api/operations/describe-operation.ts'
import { operationPath } from '../../api/operation-path.ts'

const usd = { vs_currency: 'usd' }

describe('path of a request', () => {
  const cases: [OperationId, ParamValues, string][] = [
    ['ping', {}, 'ping'],
    ['coins/list', { include_platform: 'true' }, 'coins/list?include_platform=true'],
    [
      'coins/markets',
      { page: '2', per_page: '250', ids: 'bitcoin,1move token', ...usd },
      'coins/markets?vs_currency=usd&ids=bitcoin,1move%20token&per_page=250&page=2',
    ],
    [
      'coins/{id}/market_chart/range',
      { to: '1706745600', from: '1704067200', id: 'boringdao-[old]', ...usd },
      'coins/boringdao-%5Bold%5D/market_chart/range?vs_currency=usd&from=1704067200&to=1706745600',
    ],
    [
      'coins/{id}/ohlc',
      { id: 'a/../b?c#$&', days: '7', ...usd },
      'coins/a%2F..%2Fb%3Fc%23%24%26/ohlc?vs_currency=usd&days=7',
    ],
    ['exchanges/{id}/tickers', { id: 'gdax', page: '1' }, 'exchanges/gdax/tickers?page=1'],
    ['coins/list', { include_platform: '' }, 'coins/list'],
  ]
  test.each(cases)('%s %j', (id, params, path) => {
    expect(operationPath(operations[id], params)).toBe(path)
  })

  test.each([
    [undefined, '2017-12-30'],
    ['yyyy-mm-dd' as const, '2017-12-30'],
    ['dd-mm-yyyy' as const, '30-12-2017'],
  ])('a day is written as %s', (format, date) => {
    // An id that looks like a day is none.
    const params = { id: '2017-12-30', date: '2017-12-30' }
    expect(operationPath(operations['coins/{id}/history'], params, format)).toBe(
      `coins/2017-12-30/history?date=${date}`,
    )
  })

  test('text with hyphens is no day', () => {
    const params = { ids: 'a-b-c', ...usd }
    expect(operationPath(operations['coins/markets'], params, 'dd-mm-yyyy')).toContain('ids=a-b-c')
  })

  test.each<[OperationId, ParamValues, string]>([
    ['coins/{id}/ohlc', { id: 'bitcoin', days: '7' }, 'needs the parameter vs_currency'],
    ['coins/{id}/ohlc', { id: '', days: '7', ...usd }, 'needs the parameter id'],
    ['ping', { now: '1' }, 'has no parameter "now"'],
    ['exchanges/{id}/tickers', { id: '..' }, 'cannot be asked for the id ".."'],
    ['exchanges/{id}/tickers', { id: '.' }, 'cannot be asked for the id "."'],
  ])('%s %j is refused', (id, params, what) => {
    const message = `operation ${id} ${what}`
    expect(() => operationPath(operations[id], params)).toThrow(
      expect.objectContaining({ code: 'BAD_PARAM', message }),
    )
  })
})

test('every operation is registered under its own id, with the path parameters of its path', () => {
  for (const [id, operation] of Object.entries(operations)) {
    expect(operation.id).toBe(id)
    const inPath = operation.params.filter((param) => param.in === 'path').map((p) => p.name)
    expect([...id.matchAll(/\{(\w+)\}/g)].map((match) => match[1])).toEqual(inPath)
    for (const param of operation.params) {
      if (param.default !== undefined && param.allowed !== undefined) {
        expect(param.allowed).toContain(param.default)
      }
    }
  }
})
