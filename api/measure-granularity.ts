import { GRANULARITIES } from '../config/dataset-shape.ts'
import { ascending } from './ascending.ts'
import { floorTo, GRANULARITY_MS, type Granularity } from './granularity.ts'
import type { StepRule } from './step-rules.ts'

/**
 * The granularity of a series, measured from its points (epoch ms, any order); null: not measurable. The source may
 * answer with another granularity than the requested one.
 *
 * The median distance of neighbouring points decides; of two middle distances the longer one. The last point is "now"
 * and lies less than a step from the one before.
 *
 * @param rules of the operation, with the steps that its series have. A distance between two steps is that of a sparse
 *   series of the finer one, of a coin that hardly trades.
 */
export function measureGranularity(
  timestampsMs: ArrayLike<number>,
  rules: readonly StepRule[],
): Granularity | null {
  const sorted = ascending(new Float64Array(timestampsMs))
  const spacings = new Float64Array(sorted.length)
  let count = 0
  for (let i = 1; i < sorted.length; i++) {
    const spacingMs = sorted[i]! - sorted[i - 1]!
    if (spacingMs > 0) spacings[count++] = spacingMs
  }
  if (count === 0) return null
  const distances = spacings.subarray(0, count).sort()
  const measured =
    count === 1
      ? fromTwoPoints(sorted[0]!, spacings[0]!)
      : nearestGranularity(distances[Math.floor(count / 2)]!)
  if (measured === null) return null
  const steps = rules.map(({ step }) => step)
  return steps.findLast((step) => GRANULARITY_MS[step] <= GRANULARITY_MS[measured]) ?? measured
}

/** Of two points the second may be "now". They prove a granularity if one step apart on its grid, or at least a day. */
function fromTwoPoints(firstMs: number, spacingMs: number): Granularity | null {
  const granularity = nearestGranularity(spacingMs)
  const onGrid =
    spacingMs === GRANULARITY_MS[granularity] && floorTo(firstMs, granularity) === firstMs
  return onGrid || spacingMs >= GRANULARITY_MS['1d'] ? granularity : null
}

function nearestGranularity(spacingMs: number): Granularity {
  const distance = (one: Granularity): number => Math.abs(Math.log(spacingMs / GRANULARITY_MS[one]))
  return GRANULARITIES.toSorted((a, b) => distance(a) - distance(b))[0]!
}
