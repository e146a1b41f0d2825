import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from '@temporalio/client'
import type { ScheduleConfig } from '../../config/settings/read-schedules.ts'
import { beginMissedWindow } from './missed-window.ts'

export interface KeepUpOptions {
  client: Client
  warehouseId: string
  schedules: readonly ScheduleConfig[]
  /** Called for each window that begins late. */
  onMissed: (schedule: string, windowMs: number) => void
  /** Called when the server does not answer; the next round asks again. */
  onFault: (error: unknown) => void
}

/** Time between two rounds. */
const LOOK_EVERY_MS = 5 * 60_000

/**
 * Begins the newest missed window of each schedule, in rounds until the signal fires. The run of that window also
 * fetches the slices of the windows before.
 */
export async function keepUp(options: KeepUpOptions, signal: AbortSignal): Promise<void> {
  const { client, warehouseId, schedules, onMissed, onFault } = options
  while (!signal.aborted) {
    for (const { name, catchUpMs } of schedules) {
      try {
        const late = { warehouseId, name, catchUpMs }
        const windowMs = await beginMissedWindow(client, late, Date.now())
        if (windowMs !== null) onMissed(name, windowMs)
      } catch (error) {
        onFault(error)
      }
    }
    await sleep(LOOK_EVERY_MS, undefined, { signal }).catch(() => undefined)
  }
}
