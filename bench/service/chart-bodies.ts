import { HOUR_MS } from '../../config/values/duration.ts'
import { randomOf } from '../../test/parts/random-of.ts'

/** Points of one answer: 90 days by the hour, both ends included. */
export const POINTS_PER_CALL = 2161
/** First point of every answer, epoch ms: 2024-01-01, which is long settled. */
export const FIRST_POINT_MS = Date.UTC(2024, 0, 1)

/** A step of a random walk moves a value by at most this share. */
const MAX_MOVE = 0.01

/** The body of one market_chart/range answer, about 220 kB: a random walk of doubles with all digits, the worst to parse. */
export function chartBody(seed: number): Buffer {
  const random = randomOf(seed)
  const walk = (start: number): string => {
    let value = start
    const points: [number, number][] = []
    for (let hour = 0; hour < POINTS_PER_CALL; hour += 1) {
      value *= 1 + (random() - 0.5) * 2 * MAX_MOVE
      points.push([FIRST_POINT_MS + hour * HOUR_MS, value])
    }
    return JSON.stringify(points)
  }
  const price = walk(10 ** (random() * 5 - 1))
  const cap = walk(10 ** (random() * 3 + 8))
  const volume = walk(10 ** (random() * 3 + 6))
  return Buffer.from(`{"prices":${price},"market_caps":${cap},"total_volumes":${volume}}`)
}
