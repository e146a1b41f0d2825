import { expect, test } from 'vitest'
import { datasets } from '../../datasets/index.ts'
import type { WantedDataset } from '../../plan/order.ts'
import { SURVIVORSHIP, survivorshipLines } from '../../plan/survivorship.ts'
import { wantedOf } from './test-dataset.ts'

const wanted = (dataset: string, entities: WantedDataset['entities']) =>
  wantedOf({ dataset, entities, granularity: '1d' })

test('a history of a choice is told, once a selector; ids and snapshots are not', () => {
  const lines = survivorshipLines(
    [
      wanted('market_chart', { top: 100 }),
      wanted('market_chart', { top: 100 }),
      wanted('coin_history', { category: 'layer-1' }),
      wanted('coin_markets', { top: 5 }),
      wanted('ohlc', { top: 7 }),
      wanted('market_chart', { inactive: true }),
      wanted('market_chart', ['bitcoin']),
    ],
    datasets,
  )
  expect(lines).toEqual([
    `top:100: ${SURVIVORSHIP}`,
    `category:layer-1: ${SURVIVORSHIP}`,
    `top:7: ${SURVIVORSHIP}`,
  ])
})
