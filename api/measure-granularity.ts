import { GRANULARITIES } from '../config/dataset-shape.ts'
import { ascending } from './ascending.ts'
import { floorTo, GRANULARITY_MS, type Granularity } from './granularity.ts'

/**
 * The granularity of a series, measured from its points (epoch ms, any order); null: not measurable. The source may
 * answer with another granularity than the requested one.
 *
 * The median distance of neighbouring points decides; of two middle distances the longer one. The last point is "now"
 * and lies less than a step from the one before.
 */
export function measureGranularity(timestampsMs: ArrayLike<number>): Granularity | null {
  const sorted = ascending(new Float64Array(timestampsMs))
  const spacings = new Float64Array(sorted.length)
  let count = 0
  for (let i = 1; i < sorted.length; i++) {
    const spacingMs = sorted[i]! - sorted[i - 1]!
    if (spacingMs > 0) spacings[count++] = spacingMs
  }
  if (count === 0) return null
  if (count === 1) return fromTwoPoints(sorted[0]!, spacings[0]!)
  const distances = spacings.subarray(0, count).sort()
  return nearestGranularity(distances[Math.floor(count / 2)]!)
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
