import type { Clock } from '../../config/clock.ts'
import type { Sleep } from '../../api/pacer.ts'

/** A clock and the timers that go with it: time passes only in `run`, from one timer to the next. */
export class FakeTime implements Clock {
  #nowMs: number
  #timers: { atMs: number; fire: () => void }[] = []
  /** How much later than asked a timer fires. */
  readonly #lateMs: () => number

  constructor(startMs: number, lateMs: () => number = () => 0) {
    this.#nowMs = startMs
    this.#lateMs = lateMs
  }

  nowMs(): number {
    return this.#nowMs
  }

  readonly sleep: Sleep = (ms, signal) =>
    new Promise((resolve, reject) => {
      const onAbort = (): void => {
        this.#timers = this.#timers.filter((other) => other !== timer)
        reject(signal.reason as Error)
      }
      const fire = (): void => {
        signal.removeEventListener('abort', onAbort)
        resolve()
      }
      const timer = { atMs: this.#nowMs + Math.max(0, ms) + this.#lateMs(), fire }
      this.#timers.push(timer)
      signal.addEventListener('abort', onAbort, { once: true })
    })

  /** Calls `fire` when the time has come. */
  at(atMs: number, fire: () => void): void {
    this.#timers.push({ atMs, fire })
  }

  /** Lets time pass until `untilMs`, or until nothing waits any more. */
  async run(untilMs = Infinity): Promise<void> {
    for (;;) {
      await settled()
      this.#timers.sort((a, b) => a.atMs - b.atMs)
      const next = this.#timers[0]
      if (next === undefined || next.atMs > untilMs) break
      this.#timers.shift()
      this.#nowMs = Math.max(this.#nowMs, next.atMs)
      next.fire()
    }
    if (untilMs !== Infinity) this.#nowMs = Math.max(this.#nowMs, untilMs)
  }

  /** Sets the clock without letting timers fire, as an operator or NTP does. */
  jump(ms: number): void {
    this.#nowMs += ms
  }
}

/** Until all promises that can go on have gone on. */
function settled(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve)
  })
}
