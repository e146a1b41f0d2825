import { ScheduleOverlapPolicy } from '@temporalio/client'
import type { Client, ScheduleDescription, ScheduleHandle } from '@temporalio/client'
import { ConfigError } from '../../config/config-error.ts'
import type { Config } from '../../config/config.ts'
import { parseUtcMs } from '../../config/values/utc-date.ts'
import { warehouseIdOf } from '../../config/warehouse-paths.ts'
import { WarehouseBusyError } from '../../sinks/sink-error.ts'
import { findSchedule, scheduleNames } from '../../engine/schedules/apply-schedules.ts'
import { scheduleId } from '../../workflows/sync-messages.ts'

interface Steering {
  action: 'pause' | 'resume' | 'trigger' | 'backfill' | 'delete'
  /** null = all schedules of the warehouse. */
  name: string | null
  note: string
  /** Only for a backfill. */
  from: unknown
  to: unknown
}

/** @throws ConfigError NO_SUCH_SCHEDULE, USAGE; WarehouseBusyError SCHEDULE_BUSY */
export async function steerSchedules(
  client: Client,
  config: Config,
  steering: Steering,
): Promise<{ name: string; done: string }[]> {
  const warehouse = warehouseIdOf(config)
  const names = steering.name === null ? await scheduleNames(client, warehouse) : [steering.name]
  // All are looked at before the first is steered, so that a refusal leaves none half done.
  for (const name of names) {
    const found = await findSchedule(client, scheduleId(warehouse, name))
    if (found === null) throw unknownSchedule(name, config)
    if (steering.action === 'trigger') requireNoWaitingWindow(name, found)
  }
  const done = []
  for (const name of names) {
    const handle = client.schedule.getHandle(scheduleId(warehouse, name))
    done.push({ name, done: await steer(handle, steering) })
  }
  return done
}

async function steer(
  handle: ScheduleHandle,
  { action, note, from, to }: Steering,
): Promise<string> {
  // Without a note the SDK writes its own, which means nothing to a user.
  const why = note === '' ? 'by coinlake' : note
  if (action === 'pause') {
    await handle.pause(why)
    return 'paused'
  }
  if (action === 'resume') {
    await handle.unpause(why)
    return 'on'
  }
  if (action === 'trigger') {
    await handle.trigger(ScheduleOverlapPolicy.BUFFER_ONE)
    return 'triggered; `coinlake schedule list` shows its outcome'
  }
  if (action === 'delete') {
    await handle.delete()
    return 'deleted'
  }
  const [start, end] = [timeOf('--from', from), timeOf('--to', to)]
  if (start >= end) {
    throw new ConfigError(
      `schedule backfill: --from ${start.toISOString()} is not before --to ${end.toISOString()}`,
      { code: 'USAGE', hint: '--to is not included: a day runs from 2026-01-01 to 2026-01-02.' },
    )
  }
  // One after the other, because the windows of a history build on each other.
  // The server includes a window at the very end, and coinlake does not.
  const last = new Date(end.getTime() - 1)
  await handle.backfill({ start, end: last, overlap: ScheduleOverlapPolicy.BUFFER_ALL })
  return `its windows from ${start.toISOString()} to ${end.toISOString()} run again`
}

/** The server keeps one waiting window and silently drops others. */
function requireNoWaitingWindow(name: string, { raw }: ScheduleDescription): void {
  const waiting = Number(raw.info?.bufferSize ?? 0)
  if (waiting === 0) return
  throw new WarehouseBusyError(
    `schedule ${name} was not triggered: ${waiting === 1 ? '1 window of it waits' : `${waiting} windows of it wait`} for the running one, and the server would drop another`,
    {
      code: 'SCHEDULE_BUSY',
      hint: 'The waiting windows run by themselves, those of `schedule backfill` too. Trigger it again when `coinlake schedule list` shows none as running.',
    },
  )
}

function timeOf(flag: string, value: unknown): Date {
  const ms = typeof value === 'string' ? parseUtcMs(value) : null
  if (ms !== null) return new Date(ms)
  throw new ConfigError(
    `schedule backfill: ${flag} is ${value === undefined ? 'missing' : `no date: ${JSON.stringify(value)}`}`,
    {
      code: 'USAGE',
      hint: `Write a day or an ISO time: ${flag} 2026-01-31 or ${flag} 2026-01-31T12:00:00Z.`,
    },
  )
}

function unknownSchedule(name: string, config: Config): ConfigError {
  const isConfigured = config.schedules[name] !== undefined
  return new ConfigError(`the server has no schedule ${name} of this warehouse`, {
    code: 'NO_SUCH_SCHEDULE',
    hint: isConfigured
      ? 'Run `coinlake schedule apply` first: the configuration has it.'
      : 'Look at `coinlake schedule list`.',
  })
}
