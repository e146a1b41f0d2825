import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from '@temporalio/client'
import type { ScheduleConfig } from '../../config/settings/read-schedules.ts'
import { scheduleId } from '../../workflows/sync-messages.ts'
import { findSchedule } from './apply-schedules.ts'
import { beginMissedWindow } from './missed-window.ts'

export interface WatchOptions {
  client: Client
  warehouseId: string
  schedules: Iterable<ScheduleConfig>
  /** Called for each missed window that is begun now. */
  onMissed: (schedule: string, windowMs: number) => void
  /** Called when a schedule has vanished from the server, for example with the server's database. */
  onGone: (schedule: string) => unknown
  /** Time between two rounds. Default: five minutes. */
  everyMs?: number
  /** Called when the server does not answer; the next round asks again. */
  onFault: (error: unknown) => void
}

const ROUND_EVERY_MS = 5 * 60_000

/** Begins the newest missed window of each schedule, in rounds until the signal fires. */
export async function watchSchedules(options: WatchOptions, signal: AbortSignal): Promise<void> {
  const { client, warehouseId, schedules, onMissed, onGone, onFault } = options
  const { everyMs = ROUND_EVERY_MS } = options
  const applied = new Set<string>()
  while (!signal.aborted) {
    for (const { name, catchUpMs } of schedules) {
      try {
        const found = await findSchedule(client, scheduleId(warehouseId, name))
        if (found === null) {
          if (applied.delete(name)) await onGone(name)
          continue
        }
        applied.add(name)
        const windowMs = await beginMissedWindow(client, found, catchUpMs, Date.now())
        if (windowMs !== null) onMissed(name, windowMs)
      } catch (error) {
        onFault(error)
      }
    }
    await sleep(everyMs, undefined, { signal }).catch(() => undefined)
  }
}
