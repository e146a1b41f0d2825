import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { GRANULARITY_MS, type Granularity } from '../../api/granularity.ts'
import type { OperationId } from '../../api/operation.ts'
import { operations } from '../../api/operations.ts'
import { recordingName } from '../../service/recording-names.ts'

/** A recorded response and when it can be asked for again. */
export interface RecordedBody {
  name: string
  path: string
  operation: OperationId
  /** Of a series, told from its own points; '' of a listing. */
  granularity: Granularity | ''
  /** First and last point of a series (candles by their start); null for listings. */
  points: { firstMs: number; lastMs: number } | null
  /** Between these times the plan asks for all of it: later it is out of reach, earlier it lies ahead. */
  clock: { earliestMs: number; latestMs: number }
}

const OPERATION_IDS = Object.keys(operations) as OperationId[]
/** Those whose recordings are exported and compared here; the others are still to come. */
const COMPARED: ReadonlySet<OperationId> = new Set([
  'coins/list',
  'coins/markets',
  'coins/{id}/market_chart',
  'coins/{id}/market_chart/range',
  'coins/{id}/ohlc',
  'exchanges/list',
  'exchanges',
  'exchanges/{id}/tickers',
  'exchange_rates',
])
const CHART_STEPS: readonly Granularity[] = ['5m', '1h', '1d']
const CANDLE_STEPS: readonly Granularity[] = ['30m', '4h', '4d']
const DAY_MS = 86_400_000
/** How far back the source answers at a granularity; what is not here has no end (facts: 0.8). */
const REACH_MS: Partial<Record<Granularity, number>> = {
  '5m': DAY_MS,
  '30m': DAY_MS,
  '4h': 30 * DAY_MS,
  '4d': 365 * DAY_MS,
}

/** Reads a file named like a recording; null when it is of no operation that is compared. */
export function recordedBody(path: string): RecordedBody | null {
  const name = basename(path)
  const operation = recordingName(name, OPERATION_IDS)?.operation
  if (operation === undefined || !COMPARED.has(operation)) return null
  const common = { name, path, operation }
  const isChart = operation.includes('market_chart')
  if (!isChart && operation !== 'coins/{id}/ohlc') {
    const always = { earliestMs: -Infinity, latestMs: Infinity }
    return { ...common, granularity: '', points: null, clock: always }
  }
  const body = JSON.parse(readFileSync(path, 'utf8')) as unknown
  const points = isChart ? Object.values(body as Record<string, [number][]>).flat() : body
  const timesMs = [...new Set((points as [number][]).map(([ms]) => ms))].sort((a, b) => a - b)
  const granularity = nearestStep(timesMs, isChart ? CHART_STEPS : CANDLE_STEPS)
  const stepMs = GRANULARITY_MS[granularity]
  const candleMs = isChart ? 0 : stepMs
  const [firstMs, lastMs] = [timesMs[0]! - candleMs, timesMs.at(-1)! - candleMs]
  return {
    ...common,
    granularity,
    points: { firstMs, lastMs },
    clock: {
      earliestMs: Math.ceil((lastMs + candleMs) / 1000) * 1000,
      latestMs: Math.floor(firstMs / stepMs) * stepMs + (REACH_MS[granularity] ?? Infinity),
    },
  }
}

/** The step nearest to the median distance of the points. */
function nearestStep(timesMs: readonly number[], steps: readonly Granularity[]): Granularity {
  const distances = timesMs.slice(1).map((ms, index) => ms - timesMs[index]!)
  distances.sort((a, b) => a - b)
  const median = distances[Math.floor(distances.length / 2)] ?? GRANULARITY_MS[steps[0]!]
  const farness = (step: Granularity): number => Math.abs(Math.log(median / GRANULARITY_MS[step]))
  return steps.toSorted((a, b) => farness(a) - farness(b))[0]!
}
