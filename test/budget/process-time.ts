import type { Clock } from '../../config/clock.ts'
import type { Sleep } from '../../api/pacer.ts'
import type { FakeTime } from '../api/fake-time.ts'

/** How badly the event loop of a process is treated. */
export interface Weather {
  /** A timer or an answer is noticed up to so much late. */
  lateMs: number
  /** From time to time, on average after so long, nothing runs at all; 0 = never. */
  stallEveryMs: number
  /** For so long, evenly drawn. */
  stallMs: readonly [least: number, most: number]
}

/** The time of one process: its timers and whatever comes from outside wait until it runs again. */
export interface ProcessTime extends Clock {
  sleep: Sleep
  /** Passes `ms` in the world outside, then waits until this process notices. */
  notice(ms: number): Promise<void>
}

/** @param weather what its event loop meets, drawn by `draw`. */
export function processTime(time: FakeTime, weather: Weather, draw: () => number): ProcessTime {
  let stallFromMs = nextStall(time.nowMs())
  let stallToMs = stallFromMs + stallLength()

  function nextStall(afterMs: number): number {
    if (weather.stallEveryMs === 0) return Infinity
    return afterMs - Math.log(1 - draw()) * weather.stallEveryMs
  }
  function stallLength(): number {
    const [least, most] = weather.stallMs
    return least + draw() * (most - least)
  }
  function awakeAt(atMs: number): number {
    const lateMs = atMs + draw() * weather.lateMs
    while (time.nowMs() > stallToMs) {
      stallFromMs = nextStall(stallToMs)
      stallToMs = stallFromMs + stallLength()
    }
    // Timers that fall due in a stall wait for its end.
    return lateMs >= stallFromMs && lateMs <= stallToMs ? stallToMs : lateMs
  }
  return {
    nowMs: () => time.nowMs(),
    sleep: (ms, signal) =>
      time.sleep(awakeAt(time.nowMs() + Math.max(0, ms)) - time.nowMs(), signal),
    notice: (ms) =>
      new Promise((resolve) => {
        time.at(awakeAt(time.nowMs() + ms), resolve)
      }),
  }
}
