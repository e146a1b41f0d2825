import { DAYS_OF_WEEK, ScheduleNotFoundError, ScheduleOverlapPolicy } from '@temporalio/client'
import type {
  CalendarSpec,
  Client,
  ScheduleDescription,
  ScheduleOptions,
  ScheduleSpec,
} from '@temporalio/client'
import { ConfigError } from '../../config/config-error.ts'
import type { ScheduleConfig } from '../../config/settings/read-schedules.ts'
import type { syncWarehouse } from '../../workflows/sync-warehouse.ts'
import { scheduleId, schedulePrefix, syncWorkflowId } from '../../workflows/sync-messages.ts'
import type { SyncInput } from '../../workflows/sync-messages.ts'

export interface WantedSchedule {
  config: ScheduleConfig
  /** The queue of the workflows, with the hash of their code. */
  taskQueue: string
  input: SyncInput
  /** Whether the file of its order was missing and has been written again. */
  isOrderRewritten?: boolean
}

export interface ScheduleChange {
  name: string
  /** `rewritten`: the schedule is unchanged, but the missing file of its order was written again. */
  change: 'created' | 'updated' | 'unchanged' | 'rewritten' | 'deleted'
}

/**
 * The server begins windows that are at most this late, each in a run of its own. Of earlier windows, coinlake begins
 * only the newest (watch-schedules.ts).
 */
const SERVER_CATCH_UP = '1 minute'
const OVERLAP = {
  buffer_one: ScheduleOverlapPolicy.BUFFER_ONE,
  skip: ScheduleOverlapPolicy.SKIP,
} as const

/**
 * Creates, changes and deletes schedules of a warehouse until the server has exactly the wanted ones. A second call
 * changes nothing. A paused schedule stays paused.
 *
 * @param mayReplace true = also replaces schedules that another configuration applied
 * @throws ConfigError SCHEDULE_OF_ANOTHER, before any change, when another configuration applied one
 */
export async function applySchedules(
  client: Client,
  warehouseId: string,
  wanted: readonly WantedSchedule[],
  mayReplace: boolean,
): Promise<ScheduleChange[]> {
  const names = new Set([
    ...wanted.map(({ config }) => config.name),
    ...(await scheduleNames(client, warehouseId)),
  ])
  const existing = new Map<string, ScheduleDescription>()
  for (const name of names) {
    const found = await findSchedule(client, scheduleId(warehouseId, name))
    if (found !== null) existing.set(name, found)
  }
  if (!mayReplace) refuseForeign(wanted, existing)
  const changes: ScheduleChange[] = []
  for (const one of wanted) {
    const { name } = one.config
    const found = existing.get(name)
    existing.delete(name)
    const change = await applyOne(client, warehouseId, optionsOf(one), found, one)
    changes.push({ name, change })
  }
  for (const [name] of existing) {
    await client.schedule.getHandle(scheduleId(warehouseId, name)).delete()
    changes.push({ name, change: 'deleted' })
  }
  return changes
}

type Options = Omit<ScheduleOptions, 'scheduleId'>

async function applyOne(
  client: Client,
  warehouseId: string,
  options: Options,
  found: ScheduleDescription | undefined,
  { config, input, taskQueue, isOrderRewritten }: WantedSchedule,
): Promise<ScheduleChange['change']> {
  const id = scheduleId(warehouseId, config.name)
  if (found === undefined) {
    await client.schedule.create({ ...options, scheduleId: id })
    return 'created'
  }
  const isMoved = found.action.taskQueue !== taskQueue
  if (!isMoved && scheduleInputOf(found)?.definition === input.definition) {
    return isOrderRewritten === true ? 'rewritten' : 'unchanged'
  }
  // The state has the pause: only `schedule resume` ends it.
  const update = ({ state }: ScheduleDescription) => ({ ...options, state })
  await client.schedule.getHandle(id).update(update)
  return 'updated'
}

function optionsOf({ config, input, taskQueue }: WantedSchedule): Options {
  return {
    spec: scheduleSpec(config),
    action: {
      type: 'startWorkflow',
      workflowType: 'syncWarehouse' satisfies (typeof syncWarehouse)['name'],
      workflowId: syncWorkflowId(input.warehouseId, config.name),
      taskQueue,
      args: [input],
      workflowTaskTimeout: '10 seconds',
      staticSummary: `coinlake schedule ${config.name}`,
    },
    policies: {
      overlap: OVERLAP[config.overlap],
      catchupWindow: SERVER_CATCH_UP,
      pauseOnFailure: config.isPausedOnFailure,
    },
  }
}

function refuseForeign(
  wanted: readonly WantedSchedule[],
  existing: ReadonlyMap<string, ScheduleDescription>,
): void {
  const from = wanted[0]?.input.appliedFrom
  for (const [name, found] of existing) {
    const appliedFrom = scheduleInputOf(found)?.appliedFrom
    if (appliedFrom === undefined || from === undefined || appliedFrom === from) continue
    throw new ConfigError(
      `the schedule ${name} of this warehouse was applied from ${appliedFrom}, not from ${from}`,
      {
        code: 'SCHEDULE_OF_ANOTHER',
        hint: 'Apply it there, or take it over with `coinlake schedule apply --replace`.',
      },
    )
  }
}

/** The input that a schedule gives to its workflow; null = not a schedule of coinlake. */
export function scheduleInputOf({ action }: ScheduleDescription): SyncInput | null {
  const [input] = (action.args ?? []) as unknown[]
  return (input as SyncInput | undefined) ?? null
}

/** Names of a warehouse's schedules. A schedule that was just created may be missing. */
export async function scheduleNames(client: Client, warehouseId: string): Promise<string[]> {
  const prefix = schedulePrefix(warehouseId)
  const names: string[] = []
  for await (const { scheduleId: id } of client.schedule.list()) {
    if (id.startsWith(prefix)) names.push(id.slice(prefix.length))
  }
  return names
}

/** The schedule on the server; null = no such schedule. */
export async function findSchedule(
  client: Client,
  id: string,
): Promise<ScheduleDescription | null> {
  try {
    return await client.schedule.getHandle(id).describe()
  } catch (error) {
    if (error instanceof ScheduleNotFoundError) return null
    throw error
  }
}

/**
 * A schedule's times in Temporal's form. Intervals count from 1970 UTC. Times of day and cron follow the clocks of the
 * time zone, also on days of 23 or 25 hours.
 */
function scheduleSpec({ times, timeZone, jitterMs }: ScheduleConfig): ScheduleSpec {
  const jitter = jitterMs > 0 ? { jitter: jitterMs } : {}
  if (times.kind === 'interval') {
    return { intervals: [{ every: times.everyMs, offset: times.offsetMs }], ...jitter }
  }
  const zoned = { timezone: timeZone, ...jitter }
  if (times.kind === 'cron') return { cronExpressions: [times.cron], ...zoned }
  return { calendars: times.at.map((at) => calendar(at, times.weekdays)), ...zoned }
}

function calendar(at: { hour: number; minute: number }, weekdays: readonly number[]): CalendarSpec {
  // Here and in Temporal 0 is Sunday.
  const days = weekdays.map((day) => DAYS_OF_WEEK[day]!)
  return { ...at, ...(days.length > 0 ? { dayOfWeek: days } : {}) }
}
