import { copyFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { GRANULARITY_MS } from '../../api/granularity.ts'
import type { OperationId } from '../../api/operation.ts'
import type { RecordedBody } from './recorded-body.ts'

/** A recording with the names it is asked for by in its run. */
export interface PlacedBody extends RecordedBody {
  entity: string
  vsCurrency: string
}

/** Recordings that one export can ask for together: one clock, one granularity a dataset. */
export interface RecordedRun {
  nowMs: number
  bodies: PlacedBody[]
}

const DATASET_OF: Partial<Record<OperationId, string>> = {
  'coins/list': 'coins',
  'coins/markets': 'coin_markets',
  'coins/{id}/market_chart': 'market_chart',
  'coins/{id}/market_chart/range': 'market_chart',
  'coins/{id}/ohlc': 'ohlc',
  'exchanges/list': 'exchanges',
  exchanges: 'exchanges',
  'exchanges/{id}/tickers': 'exchange_tickers',
  exchange_rates: 'exchange_rates',
}
const VS_CURRENCIES = ['usd', 'eur', 'eth', 'myr', 'btc', 'gbp', 'jpy', 'xau', 'sats', 'bits']
/** When nothing in a run says what time it is. */
const ANY_TIME_MS = Date.UTC(2026, 5, 1, 12, 34, 56)
/** Has no clock of its own: a list of nothing for the half of a dataset that was not recorded. */
const EMPTY_LIST = '[]'

/** Name of the dataset that a recording belongs to. */
export function datasetOf({ operation }: RecordedBody): string {
  return DATASET_OF[operation]!
}

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
    bodies: run.bodies.map((body, index) => ({
      ...body,
      // Ids are no slugs.
      entity: `Sample ${index} [é]`,
      vsCurrency: body.operation === 'coins/markets' ? VS_CURRENCIES[index]! : 'usd',
    })),
  }))
}

function fits(
  run: { bodies: readonly RecordedBody[]; earliestMs: number; latestMs: number },
  body: RecordedBody,
): boolean {
  if (body.clock.earliestMs > run.latestMs || body.clock.latestMs < run.earliestMs) return false
  if (body.operation === 'coins/markets' && run.bodies.length >= VS_CURRENCIES.length) return false
  const isSingle = !body.operation.includes('{id}') && body.operation !== 'coins/markets'
  return run.bodies.every((other) => {
    if (datasetOf(other) !== datasetOf(body)) return true
    if (isSingle && other.operation === body.operation) return false
    return other.granularity === body.granularity
  })
}

/** Writes a run's recordings into a folder, each answering exactly what its run asks for. */
export function writeRecordings(run: RecordedRun, dir: string): void {
  const recordedAt = new Date(run.nowMs).toISOString()
  const index = run.bodies.map((body) => {
    copyFileSync(body.path, join(dir, body.name))
    return { file: body.name, operation: askedAs(body), params: paramsOf(body), recordedAt }
  })
  for (const operation of ['exchanges', 'exchanges/list'] as const) {
    if (!run.bodies.some((body) => datasetOf(body) === 'exchanges')) break
    if (run.bodies.some((body) => body.operation === operation)) continue
    const file = `${operation.replace('/', '-')}--none.json`
    writeFileSync(join(dir, file), EMPTY_LIST)
    index.push({ file, operation, params: {}, recordedAt })
  }
  writeFileSync(join(dir, 'recordings.json'), JSON.stringify(index))
}

/** 5-minute points are only had from market_chart, all others from its range. */
function askedAs({ operation, granularity }: RecordedBody): OperationId {
  if (!operation.includes('market_chart')) return operation
  return granularity === '5m' ? 'coins/{id}/market_chart' : 'coins/{id}/market_chart/range'
}

function paramsOf(body: PlacedBody): Record<string, string> {
  if (body.operation === 'coins/markets') return { vs_currency: body.vsCurrency }
  return body.operation.includes('{id}') ? { id: body.entity } : {}
}

/** The `datasets:` of a configuration that asks for all of a run. */
export function datasetLines(run: RecordedRun): string[] {
  const byDataset = Map.groupBy(run.bodies, datasetOf)
  return [...byDataset].map(([dataset, bodies]) => `${dataset}: { ${keys(dataset, bodies)} }`)
}

function keys(dataset: string, bodies: readonly PlacedBody[]): string {
  const entities = JSON.stringify(bodies.map(({ entity }) => entity))
  if (dataset === 'coin_markets') {
    return `vs_currencies: ${JSON.stringify(bodies.map(({ vsCurrency }) => vsCurrency))}`
  }
  if (dataset === 'exchange_tickers') return `exchanges: ${entities}`
  const granularity = bodies[0]!.granularity
  if (granularity === '') return 'every: 1d'
  const stepMs = GRANULARITY_MS[granularity]
  const firstMs = Math.min(...bodies.map(({ points }) => points!.firstMs))
  const lastMs = Math.max(...bodies.map(({ points }) => points!.lastMs))
  const from = new Date(Math.floor(firstMs / stepMs) * stepMs).toISOString()
  const to = new Date((Math.floor(lastMs / stepMs) + 1) * stepMs).toISOString()
  return `coins: ${entities}, granularity: ${granularity}, from: ${from}, to: ${to}`
}
