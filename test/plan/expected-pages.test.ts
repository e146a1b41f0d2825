import { DAY_MS } from '../../config/values/duration.ts'
import { expect, test } from 'vitest'
import type { RequestStep } from '../../datasets/dataset.ts'
import { expectedPages } from '../../plan/price.ts'
import { testDataset } from './test-dataset.ts'

const step: RequestStep = { operation: 'coins/markets', params: {}, paging: 'single', perPage: 0 }
const chart = testDataset({ name: 'chart', kind: 'range', steps: () => [step, step] })
const listing = testDataset({
  name: 'listing',
  kind: 'snapshot',
  entity: null,
  steps: () => [{ ...step, paging: 'until_short', perPage: 250 }],
})
const context = { nowMs: 10 * DAY_MS, attempt: 1 as const, maxHistoryDays: null }

const sliceOf = (dataset: string) => ({
  dataset,
  entity: '',
  vsCurrency: 'usd',
  granularity: '' as const,
  fromMs: 0,
  toMs: DAY_MS,
})

test('the pages of a run: steps, known listings, and at most so many of others', () => {
  const slices = ['chart', 'listing'].map(sliceOf)
  const known = { dataset: 'listing', entity: '', vsCurrency: 'usd', step: 0, items: 700, pages: 3 }
  expect(expectedPages(slices, [chart, listing], context, [known])).toBe(2 + 3)
  expect(expectedPages(slices, [chart, listing], context, [])).toBe(2 + 81)
})
