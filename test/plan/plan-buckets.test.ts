import { DAY_MS } from '../../config/values/duration.ts'
import { expect, test } from 'vitest'
import { GRANULARITY_MS } from '../../api/granularity.ts'
import { planSlices, type PlanSlicesInput, type SlicePlan } from '../../plan/plan-slices.ts'
import { planInput, testDataset, wantedOf } from './test-dataset.ts'

const HOUR_MS = GRANULARITY_MS['1h']
const NOW_MS = Date.UTC(2024, 5, 15, 14, 30)
const markets = testDataset({ name: 'coin_markets', kind: 'snapshot', entitiesPerSlice: 100 })

function plan(input: Partial<PlanSlicesInput>): SlicePlan {
  return planSlices(planInput({ nowMs: NOW_MS, datasets: [markets], ...input }))
}

const snapshot = (entities: string[], everyMs: number = DAY_MS) =>
  wantedOf({ dataset: 'coin_markets', granularity: '', entities, everyMs })

test('an hourly and a daily order do not overlap; what both want is asked once, for the hour', () => {
  const hourly = (ids: string[]) => snapshot(ids, HOUR_MS)
  const asked = (input: Partial<PlanSlicesInput>): string[] =>
    plan(input).slices.map(({ entity, granularity }) => `${granularity} ${entity}`)
  const both = [snapshot(['a', 'b', 'c']), hourly(['a'])]
  expect(asked({ wanted: both })).toEqual(['1h a', '1d b,c'])
  expect(plan({ wanted: both }).orders).toEqual([1, 0])
  const covered = plan({ wanted: both }).slices
  expect(asked({ wanted: both, covered })).toEqual([])
  expect(asked({ wanted: both, covered, nowMs: NOW_MS + HOUR_MS })).toEqual(['1h a'])
  expect(asked({ wanted: both, covered, nowMs: NOW_MS + DAY_MS })).toEqual(['1h a', '1d b,c'])
  // The day's own snapshot is none of the hour.
  const daily = plan({ wanted: [snapshot(['a'])] }).slices
  expect(asked({ wanted: [hourly(['a'])], covered: daily })).toEqual(['1h a'])
  const whole = [snapshot(['a']), hourly([''])]
  expect(asked({ wanted: whole })).toEqual(['1h '])
})

test('four hours do not answer for six', () => {
  const every = (hours: number) => snapshot(['a'], hours * HOUR_MS)
  const slices = plan({ wanted: [every(6), every(4), every(12)] }).slices
  expect(slices.map(({ granularity }) => granularity)).toEqual(['4h', '6h'])
})
