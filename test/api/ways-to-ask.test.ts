import { expect, test } from 'vitest'
import { operations, type OperationId } from '../../api/operations.ts'
import type { ParamValues } from '../../api/operations/describe-operation.ts'
import { waysToAsk } from '../../api/ways-to-ask.ts'
import { datasets } from '../../datasets/index.ts'

test.for<[OperationId, ParamValues, ParamValues[]]>([
  [
    'coins/markets',
    { vs_currency: 'usd', ids: 'a,b', order: 'id_asc', per_page: '250', page: '1' },
    [{ vs_currency: 'usd', ids: 'a,b', per_page: '250', page: '1' }],
  ],
  ['coins/list', { include_platform: 'true' }, [{}]],
  ['coins/{id}/market_chart/range', { id: 'x', vs_currency: 'usd', from: '1', to: '2' }, []],
  ['asset_platforms', { filter: 'nft' }, []],
  ['derivatives/exchanges/{id}', { id: 'x', include_tickers: 'all' }, [{ id: 'x' }]],
  // A day is what the interface has of it; more days are another answer.
  ['exchanges/{id}/volume_chart', { id: 'x', days: '1' }, [{ id: 'x' }]],
  ['exchanges/{id}/volume_chart', { id: 'x', days: '30' }, []],
  ['coins/{id}/market_chart', { id: 'x', vs_currency: 'usd', days: '1' }, []],
  ['exchanges', { per_page: '250', page: '1' }, [{}]],
  ['exchanges', { per_page: '100', page: '1' }, [{}]],
  ['exchanges', { per_page: '250', page: '2' }, []],
  [
    'exchanges/{id}/tickers',
    { id: 'x', order: 'base_target', page: '1' },
    [{ id: 'x', page: '1' }, { id: 'x' }],
  ],
])('%s %j', ([operation, params, plainer]) => {
  expect(waysToAsk(operation, params)).toEqual([params, ...plainer])
})

test('what chooses the answer stays in every way that a dataset is asked', () => {
  const slice = {
    entity: 'ethereum',
    vsCurrency: 'usd',
    granularity: '' as const,
    fromMs: Date.UTC(2024, 0, 1),
    toMs: Date.UTC(2024, 0, 2),
  }
  const context = { nowMs: Date.UTC(2024, 0, 3), attempt: 1 as const, maxHistoryDays: null }
  const chosen = [
    'id',
    'ids',
    'vs_currency',
    'vs_currencies',
    'from',
    'to',
    'days',
    'date',
    'query',
  ]
  chosen.push('filter', 'contract_addresses', 'contract_address')
  let compared = 0
  for (const dataset of datasets) {
    const granularity = dataset.granularities[0] ?? ''
    const entity = `${dataset.entity}` === 'token' ? 'ethereum:0xabc' : slice.entity
    const steps = dataset.steps({ ...slice, dataset: dataset.name, entity, granularity }, context)
    for (const { operation, params } of steps) {
      for (const way of waysToAsk(operation, { ...params, page: '1' })) {
        for (const name of chosen) {
          const preset = operations[operation].params.find((param) => param.name === name)?.default
          expect(way[name] ?? preset).toBe(params[name] ?? preset)
        }
        compared += 1
      }
    }
  }
  expect(compared).toBeGreaterThan(datasets.length)
})
