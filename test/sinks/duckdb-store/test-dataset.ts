import type { Column, Dataset, Slice, TableSpec } from '../../../datasets/dataset.ts'

export const HOUR_MS = 3_600_000
/** All slices of the tests start here. */
export const START_MS = Date.UTC(2024, 0, 31)
/** Long after every slice of the tests: all is settled. */
export const LATE_MS = START_MS + 1000 * HOUR_MS

function column(name: string, type: Column['type'], nullable = true): Column {
  return { name, type, unit: null, description: `The ${name}.`, nullable }
}

const ticks: TableSpec = {
  name: 'ticks',
  description: 'Facts of the tests.',
  columns: [
    column('coin_id', 'string', false),
    column('vs_currency', 'string', false),
    column('granularity', 'string', false),
    column('ts', 'timestamp', false),
    column('price', 'double'),
    column('rank', 'integer'),
    column('note', 'string'),
    column('is_stale', 'boolean'),
    column('extra', 'json'),
    column('ts_date', 'date'),
  ],
  key: ['coin_id', 'vs_currency', 'granularity', 'ts'],
  sort: ['coin_id', 'vs_currency', 'granularity', 'ts'],
  load: 'facts',
  monthBy: 'ts',
}

const spots: TableSpec = {
  name: 'spots',
  description: 'Snapshots of the tests.',
  columns: [
    column('coin_id', 'string', false),
    column('observed_at', 'timestamp', false),
    column('price', 'double'),
  ],
  key: ['coin_id', 'observed_at'],
  sort: ['coin_id', 'observed_at'],
  load: 'snapshot',
  monthBy: 'observed_at',
}

const names: TableSpec = {
  name: 'names',
  description: 'Catalogue of the tests.',
  columns: [
    column('coin_id', 'string', false),
    column('first_seen_at', 'timestamp'),
    column('last_seen_at', 'timestamp'),
    column('label', 'string'),
  ],
  key: ['coin_id'],
  sort: ['coin_id'],
  load: 'catalogue',
  monthBy: null,
}

function dataset(name: string, kind: Dataset['kind'], tables: TableSpec[]): Dataset {
  return {
    name,
    description: `The ${name} of the tests.`,
    kind,
    operations: [],
    tables,
    entity: kind === 'range' ? 'coin' : null,
    perCurrency: kind === 'range',
    granularities: kind === 'range' ? ['1h'] : [],
    maxSliceMs: () => Infinity,
    reachMs: () => null,
    settleMs: () => HOUR_MS,
    lateMs: () => HOUR_MS / 2,
    cacheMs: () => HOUR_MS / 2,
    leftOut: [],
    steps: () => [],
    toTables: () => {
      throw new Error('the store never parses')
    },
    answers: {},
  }
}

export const DATASETS: readonly Dataset[] = [
  dataset('ticks', 'range', [ticks]),
  dataset('spots', 'snapshot', [spots]),
  dataset('names', 'catalogue', [names]),
]
export const TABLES: readonly TableSpec[] = [ticks, spots, names]

/** A slice of ticks: hours `fromHour` to `toHour` after START_MS. */
export function ticksSlice(fromHour: number, toHour: number, entity = 'bitcoin'): Slice {
  const fromMs = START_MS + fromHour * HOUR_MS
  const toMs = START_MS + toHour * HOUR_MS
  return { dataset: 'ticks', entity, vsCurrency: 'usd', granularity: '1h', fromMs, toMs }
}

/** The snapshot or catalogue slice of the day of START_MS, plus days. */
export function daySlice(name: 'spots' | 'names', day = 0): Slice {
  const fromMs = START_MS + day * 24 * HOUR_MS
  const toMs = fromMs + 24 * HOUR_MS
  return { dataset: name, entity: '', vsCurrency: '', granularity: '1d', fromMs, toMs }
}
