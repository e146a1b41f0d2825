import { DAY_MS } from '../../config/values/duration.ts'
import type { Dataset } from '../../datasets/dataset.ts'
import { type Granularity, GRANULARITY_MS } from '../../api/granularity.ts'
import type { WantedDataset } from '../../plan/order.ts'
import type { PlanSlicesInput } from '../../plan/plan-slices.ts'

/** A dataset with only what planning looks at; one step of lateness, 90 days hourly, the rest unlimited. */
export function testDataset(facts: Partial<Dataset> & Pick<Dataset, 'name' | 'kind'>): Dataset {
  return {
    description: '',
    operations: [],
    tables: [],
    entity: 'coin',
    perCurrency: true,
    granularities: ['1h', '1d'],
    maxSliceMs: (granularity) => (granularity === '1h' ? 90 * DAY_MS : Infinity),
    reachMs: () => null,
    settleMs: (granularity: Granularity | '') => (granularity === '' ? 0 : GRANULARITY_MS['1h']),
    lateMs: (granularity: Granularity | '') => (granularity === '1d' ? 40 : 30) * 60_000,
    cacheMs: () => GRANULARITY_MS['30m'],
    leftOut: [],
    steps: () => [],
    toTables: () => {
      throw new Error('a plan never reads a body')
    },
    answers: {},
    ...facts,
  }
}

/** A wanted dataset of one coin in one currency, hourly, unless told otherwise. */
export function wantedOf(
  facts: Partial<WantedDataset> & Pick<WantedDataset, 'dataset'>,
): WantedDataset {
  return {
    entities: ['bitcoin'],
    vsCurrencies: ['usd'],
    granularity: '1h',
    fromMs: 0,
    toMs: null,
    everyMs: DAY_MS,
    ...facts,
  }
}

/** The input of a plan. Default: nothing covered, no bound of the source, no chosen coins. */
export function planInput(
  facts: Partial<PlanSlicesInput> & Pick<PlanSlicesInput, 'nowMs' | 'datasets'>,
): PlanSlicesInput {
  return { wanted: [], covered: [], maxHistoryDays: null, universes: {}, ...facts }
}
