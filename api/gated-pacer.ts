import type { MonthGate } from './month-gate.ts'
import type { Pacer } from './pacer.ts'

/**
 * A pacer that asks the month of its key before it asks the window: who waits for a turn has a call of
 * the month already, and gives it back when the turn does not come.
 *
 * @param mayUseReserve whether its calls may be those that a backfill leaves alone.
 */
export function gatedPacer(pacer: Pacer, gate: MonthGate, mayUseReserve: boolean): Pacer {
  return {
    ...pacer,
    async acquire(options = {}) {
      await gate.enter(mayUseReserve, options.signal)
      try {
        const permit = await pacer.acquire(options)
        if (!permit.granted) gate.giveBack()
        return permit
      } catch (error) {
        gate.giveBack()
        throw error
      }
    },
    observe(rate) {
      gate.observe(rate)
      pacer.observe(rate)
    },
  }
}
