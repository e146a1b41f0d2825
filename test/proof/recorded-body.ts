import { DAY_MS } from '../../config/values/duration.ts'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { GRANULARITY_MS, type Granularity } from '../../api/granularity.ts'
import type { OperationId } from '../../api/operations.ts'
import { recordedOperation } from '../../service/recordings/recording-names.ts'

/** An operation whose bodies fill tables. */
export type RecordedOperation = Exclude<OperationId, 'ping'>

/** A recorded response and when it can be asked for again. */
export interface RecordedBody {
  name: string
  path: string
  operation: RecordedOperation
  /** Of a series, told from its own points; '' of all others. */
  granularity: Granularity | ''
  /** First and last point of a series (candles by their start); null for all others. */
  points: { firstMs: number; lastMs: number } | null
  /** Between these times the plan asks for all of it: later it is out of reach, earlier it lies ahead. */
  clock: { earliestMs: number; latestMs: number }
}

/** The day that recorded histories are asked for: their bodies name none. */
export const HISTORY_DATE = '2017-12-30'

/** A kind of series: its steps and how far back the source answers at them (facts: 0.8). */
interface Series {
  steps: readonly Granularity[]
  reachMs: Partial<Record<Granularity, number>>
}

const CHART: Series = { steps: ['5m', '1h', '1d'], reachMs: { '5m': DAY_MS } }
const CANDLES: Series = {
  steps: ['30m', '4h', '4d'],
  reachMs: { '30m': DAY_MS, '4h': 30 * DAY_MS, '4d': 365 * DAY_MS },
}
const VOLUMES: Series = {
  steps: ['10m', '1h', '1d'],
  reachMs: { '10m': DAY_MS, '1h': 14 * DAY_MS, '1d': 365 * DAY_MS },
}

/** Every recording of a folder that has tables, by name; [] where there is no such folder. */
export function recordedBodies(dir: string): RecordedBody[] {
  if (!existsSync(dir)) return []
  return readdirSync(dir)
    .sort()
    .flatMap((name) => recordedBody(join(dir, name)) ?? [])
}

/** Reads a file named like a recording; null when it is of no operation that has tables. */
function recordedBody(path: string): RecordedBody | null {
  const name = basename(path)
  const operation = recordedOperation(name)
  if (operation === null || operation === 'ping') return null
  const common = { name, path, operation }
  const series = seriesOf(operation)
  if (series === null) {
    // The day has to be over.
    const earliestMs =
      operation === 'coins/{id}/history' ? Date.parse(HISTORY_DATE) + 2 * DAY_MS : -Infinity
    return { ...common, granularity: '', points: null, clock: { earliestMs, latestMs: Infinity } }
  }
  const body = JSON.parse(readFileSync(path, 'utf8')) as unknown
  const points = series === CHART ? Object.values(body as Record<string, [number][]>).flat() : body
  const timesMs = [...new Set((points as [number][]).map(([ms]) => ms))].sort((a, b) => a - b)
  const granularity = nearestStep(timesMs, series.steps)
  const stepMs = GRANULARITY_MS[granularity]
  const candleMs = series === CANDLES ? stepMs : 0
  const [firstMs, lastMs] = [timesMs[0]! - candleMs, timesMs.at(-1)! - candleMs]
  return {
    ...common,
    granularity,
    points: { firstMs, lastMs },
    clock: {
      earliestMs: Math.ceil((lastMs + candleMs) / 1000) * 1000,
      latestMs: Math.floor(firstMs / stepMs) * stepMs + (series.reachMs[granularity] ?? Infinity),
    },
  }
}

function seriesOf(operation: RecordedOperation): Series | null {
  if (operation.endsWith('volume_chart')) return VOLUMES
  if (operation.endsWith('ohlc')) return CANDLES
  return operation.includes('market_chart') ? CHART : null
}

/** The step nearest to the median distance of the points. */
function nearestStep(timesMs: readonly number[], steps: readonly Granularity[]): Granularity {
  const distances = timesMs.slice(1).map((ms, index) => ms - timesMs[index]!)
  distances.sort((a, b) => a - b)
  const median = distances[Math.floor(distances.length / 2)] ?? GRANULARITY_MS[steps[0]!]
  const farness = (step: Granularity): number => Math.abs(Math.log(median / GRANULARITY_MS[step]))
  return steps.toSorted((a, b) => farness(a) - farness(b))[0]!
}
