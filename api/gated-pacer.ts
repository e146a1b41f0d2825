import type { MonthGate } from './month-gate.ts'
import type { Pacer } from './pacer.ts'

/** A pacer behind the month's gate. A request that waits for the window has taken one call of the month already. */
export function gatedPacer(pacer: Pacer, gate: MonthGate): Pacer {
  return {
    ...pacer,
    async acquire(options = {}) {
      await gate.enter(options.mayUseReserve === true, options.signal)
      try {
        const permit = await pacer.acquire(options)
        if (!permit.granted) gate.giveBack()
        return permit
      } catch (error) {
        gate.giveBack()
        throw error
      }
    },
    abandon(isSent) {
      if (!isSent) gate.giveBack()
      pacer.abandon(isSent)
    },
    observe(rate, askedAtMs) {
      gate.observe(rate)
      pacer.observe(rate, askedAtMs)
    },
  }
}
