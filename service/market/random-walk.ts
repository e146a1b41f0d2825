import { gaussian, streamSeed } from './random.ts'
import { ANCHOR_DAY, FIRST_DAY, HOURS_PER_DAY, KNOTS_PER_DAY, KNOTS_PER_HOUR } from './time-grid.ts'

export interface WalkOptions {
  seed: number
  /** Walks of one seed differ by name and index. */
  name: string
  index: number
  /** Deviation of a day's change of the logarithm. */
  dayDeviation: number
  /** Part of the change that all walks of the seed share, 0 to 1, so that returns correlate. */
  marketShare: number
  /** Value of the logarithm at the anchor day. */
  anchorLog: number
  /** Whether each day starts near the anchor. */
  isPegged: boolean
}

/** The logarithm of a price at any knot. */
export type Walk = (knot: number) => number

/**
 * A random walk in three scales: days add up from a fixed first day, hours bridge two days, knots bridge two hours. So
 * every knot costs the same. Its value depends neither on the length of the history nor on the time now.
 */
export function createWalk(options: WalkOptions): Walk {
  const { seed, name, index, dayDeviation } = options
  const dayLog = createDayLog(options)
  const hourDeviation = dayDeviation / Math.sqrt(HOURS_PER_DAY)
  const hourNoise = mixedNoise(options, 'hour')
  const hours = bridge({
    steps: HOURS_PER_DAY,
    coarse: dayLog,
    noise: (hour) => hourDeviation * hourNoise(hour),
  })
  const knotDeviation = hourDeviation / Math.sqrt(KNOTS_PER_HOUR)
  const knotStream = streamSeed(seed, `${name} knot`, index)
  const knots = bridge({
    steps: KNOTS_PER_HOUR,
    coarse: hours,
    noise: (knot) => knotDeviation * gaussian(knotStream, knot),
  })
  return (knot) => {
    // The coarse value equals the bridge there, and is cheaper.
    if (knot % KNOTS_PER_DAY === 0) return dayLog(knot / KNOTS_PER_DAY)
    if (knot % KNOTS_PER_HOUR === 0) return hours(knot / KNOTS_PER_HOUR)
    return knots(knot)
  }
}

/** The walk's own noise mixed with the market's, of deviation 1. */
function mixedNoise(options: WalkOptions, scale: string): (step: number) => number {
  const { seed, name, index, marketShare } = options
  const own = streamSeed(seed, `${name} ${scale}`, index)
  const market = streamSeed(seed, `market ${scale}`)
  const ownShare = Math.sqrt(1 - marketShare ** 2)
  return (step) => marketShare * gaussian(market, step) + ownShare * gaussian(own, step)
}

/** Mean change of the logarithm per day before the anchor: early prices are lower. */
const GROWTH_BEFORE_ANCHOR = 0.0012

function createDayLog(options: WalkOptions): (day: number) => number {
  const { dayDeviation, anchorLog } = options
  const noise = mixedNoise(options, 'day')
  if (options.isPegged) return (day) => anchorLog + dayDeviation * noise(day)
  const sums = [0]
  const sumAt = (day: number): number => {
    const wanted = Math.max(day - FIRST_DAY, 0)
    while (sums.length <= wanted) {
      const next = FIRST_DAY + sums.length
      const growth = next <= ANCHOR_DAY ? GROWTH_BEFORE_ANCHOR : 0
      sums.push(sums.at(-1)! + growth + dayDeviation * noise(next))
    }
    return sums[wanted]!
  }
  return (day) => anchorLog + sumAt(day) - sumAt(ANCHOR_DAY)
}

interface BridgeOptions {
  /** Fine steps in a coarse one. */
  steps: number
  coarse: (step: number) => number
  noise: (fineStep: number) => number
}

/** Fills the steps between two coarse values with noise. The noise starts and ends at zero. */
function bridge({ steps, coarse, noise }: BridgeOptions): (fineStep: number) => number {
  const values = new Float64Array(steps)
  let filled = NaN
  return (fineStep) => {
    const coarseStep = Math.floor(fineStep / steps)
    // The last coarse step is kept: series read neighbours one after the other.
    if (coarseStep !== filled) {
      fill(values, coarseStep)
      filled = coarseStep
    }
    return values[fineStep - coarseStep * steps]!
  }

  function fill(target: Float64Array, coarseStep: number): void {
    let sum = 0
    for (let step = 0; step < steps; step++) {
      target[step] = sum
      sum += noise(coarseStep * steps + step + 1)
    }
    const start = coarse(coarseStep)
    const slope = coarse(coarseStep + 1) - start - sum
    for (let step = 0; step < steps; step++) target[step]! += start + (slope * step) / steps
  }
}
