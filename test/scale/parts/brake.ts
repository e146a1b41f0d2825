import { setTimeout as sleep } from 'node:timers/promises'

const LOOK_EVERY_MS = 20
const PATIENCE_MS = 240_000

/** Holds the answers of a source back, so that a test can act while a run is certainly in its middle. */
export interface Brake {
  /** For `MarketSize.hold`. */
  hold(answer: number): Promise<void>
  /** Waits until so many answers are held back. */
  holds(count: number): Promise<void>
  release(): void
}

/** A brake on every answer from `first` on, counted from 0, until it is released. */
export function brakeFrom(first: number): Brake {
  const released = Promise.withResolvers<void>()
  const counted = { held: 0 }
  return {
    async hold(answer) {
      if (answer < first) return
      counted.held += 1
      await released.promise
    },
    async holds(count) {
      const deadlineMs = Date.now() + PATIENCE_MS
      while (counted.held < count) {
        if (Date.now() > deadlineMs) {
          throw new Error(`${counted.held} answers are held back, not ${count}`)
        }
        await sleep(LOOK_EVERY_MS)
      }
    },
    release: () => released.resolve(),
  }
}
