import { DAY_MS } from '../../config/values/duration.ts'
import { copyFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { GRANULARITY_MS } from '../../api/granularity.ts'
import type { OperationId } from '../../api/operations.ts'
import type { ParamValues } from '../../api/operations/describe-operation.ts'
import type { Dataset } from '../../datasets/dataset.ts'
import { datasetOf, datasetsOf, placedBody, VS_CURRENCIES, type PlacedBody } from './asked-names.ts'
import { tokenOf } from './expected/token.ts'
import type { RecordedBody } from './recorded-body.ts'

/** Recordings that one export can ask for together: one clock, one granularity a dataset. */
export interface RecordedRun {
  nowMs: number
  bodies: PlacedBody[]
}

/** When nothing in a run says what time it is. */
const ANY_TIME_MS = Date.UTC(2026, 5, 1, 12, 34, 56)
/** Has no clock of its own: a list of nothing for the half of a dataset that was not recorded. */
const EMPTY_LIST = '[]'

/** Puts recordings into as few runs as their clocks and granularities allow, greedily. */
export function packRuns(bodies: readonly RecordedBody[]): RecordedRun[] {
  const runs: { bodies: RecordedBody[]; earliestMs: number; latestMs: number }[] = []
  const width = ({ clock }: RecordedBody): number => clock.latestMs - clock.earliestMs
  for (const body of bodies.toSorted((a, b) => width(a) - width(b))) {
    const run = runs.find((candidate) => fits(candidate, body))
    if (run === undefined) runs.push({ bodies: [body], ...body.clock })
    else {
      run.bodies.push(body)
      run.earliestMs = Math.max(run.earliestMs, body.clock.earliestMs)
      run.latestMs = Math.min(run.latestMs, body.clock.latestMs)
    }
  }
  return runs.map((run) => ({
    nowMs: Number.isFinite(run.earliestMs) ? run.earliestMs : ANY_TIME_MS,
    bodies: run.bodies.map(placedBody),
  }))
}

function fits(
  run: { bodies: readonly RecordedBody[]; earliestMs: number; latestMs: number },
  body: RecordedBody,
): boolean {
  if (body.clock.earliestMs > run.latestMs || body.clock.latestMs < run.earliestMs) return false
  if (body.operation === 'coins/markets' && run.bodies.length >= VS_CURRENCIES.length) return false
  return run.bodies.every((other) => {
    if (datasetOf(other) !== datasetOf(body)) return true
    if (isAskedOnce(body) && other.operation === body.operation) return false
    return other.granularity === body.granularity
  })
}

/** Whether a run has one body of the operation: nothing names another, or several are asked for at once. */
function isAskedOnce(body: RecordedBody): boolean {
  const { entity, entitiesPerSlice = 1 } = datasetOf(body)
  return entitiesPerSlice > 1 || (entity === null && body.operation !== 'coins/markets')
}

/** Writes a run's recordings into a folder, each answering exactly what its run asks for. */
export function writeRecordings(run: RecordedRun, dir: string): void {
  const recordedAt = new Date(run.nowMs).toISOString()
  const index = run.bodies.map((body) => {
    copyFileSync(body.path, join(dir, body.name))
    return { file: body.name, operation: askedAs(body), params: namedBy(body), recordedAt }
  })
  for (const operation of unrecordedHalves(run)) {
    const file = `${operation.replaceAll('/', '-')}--none.json`
    writeFileSync(join(dir, file), EMPTY_LIST)
    index.push({ file, operation, params: {}, recordedAt })
  }
  writeFileSync(join(dir, 'recordings.json'), JSON.stringify(index))
}

/** Operations of a dataset that asks for two listings, of which only one was recorded. */
function unrecordedHalves({ bodies }: RecordedRun): OperationId[] {
  const wanted = new Set(bodies.map(datasetOf).filter(({ entity }) => entity === null))
  return [...wanted]
    .flatMap(({ operations }) => operations)
    .filter((operation) => bodies.every((body) => body.operation !== operation))
}

/** 5-minute points are only had from market_chart, all others from its range. */
function askedAs({ operation, granularity }: RecordedBody): OperationId {
  if (!operation.includes('market_chart')) return operation
  const days = operation.replace(/\/range$/, '') as OperationId
  return granularity === '5m' ? days : (`${days}/range` as OperationId)
}

export function namedBy({ operation, entity, vsCurrency }: PlacedBody): ParamValues {
  if (operation === 'coins/markets') return { vs_currency: vsCurrency }
  if (operation === 'search') return { query: entity }
  const { platformId, contractAddress } = tokenOf({ entity })
  if (operation.includes('{contract_address}')) {
    return { id: platformId, contract_address: contractAddress }
  }
  if (operation === 'simple/token_price/{id}') return { id: platformId }
  return operation.includes('{id}') ? { id: entity } : {}
}

/** The `datasets:` of a configuration that asks for all of a run. */
export function datasetLines(run: RecordedRun): string[] {
  const asked = new Set(run.bodies.flatMap(datasetsOf))
  return [...asked].map((dataset) => {
    const bodies = run.bodies.filter(({ operation }) => dataset.operations.includes(operation))
    return datasetLine(dataset, bodies)
  })
}

function datasetLine(dataset: Dataset, bodies: readonly PlacedBody[]): string {
  const keys: Record<string, unknown> = windowOf(dataset, bodies)
  const isPriced = dataset.perCurrency && dataset.kind === 'snapshot'
  const named = {
    coin: 'coins',
    exchange: 'exchanges',
    derivative_exchange: 'exchanges',
    token: 'tokens',
    query: 'queries',
  }
  const several = (dataset.entitiesPerSlice ?? 1) > 1
  const parts = (csv: string): string[] => (several ? csv.split(',') : [csv])
  if (dataset.entity !== null) {
    keys[named[dataset.entity]] = bodies.flatMap(({ entity }) => parts(entity))
  }
  if (isPriced) keys['vs_currencies'] = bodies.flatMap(({ vsCurrency }) => vsCurrency.split(','))
  return `${dataset.name}: ${JSON.stringify(keys)}`
}

function windowOf(dataset: Dataset, bodies: readonly PlacedBody[]): Record<string, unknown> {
  const { date, granularity } = bodies[0]!
  if (date !== '') {
    const to = new Date(Date.parse(date) + DAY_MS).toISOString()
    return { from: date, to }
  }
  if (granularity === '') return {}
  const stepMs = GRANULARITY_MS[granularity]
  const firstMs = Math.min(...bodies.map(({ points }) => points!.firstMs))
  const lastMs = Math.max(...bodies.map(({ points }) => points!.lastMs))
  const from = new Date(Math.floor(firstMs / stepMs) * stepMs).toISOString()
  const to = new Date((Math.floor(lastMs / stepMs) + 1) * stepMs).toISOString()
  return { granularity, from, to }
}
