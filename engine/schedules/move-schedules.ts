import { type Client, type ScheduleDescription, ScheduleOverlapPolicy } from '@temporalio/client'
import { scheduleId, type SyncInput } from '../../workflows/sync-messages.ts'
import type { QueueNames } from '../queues.ts'
import { findSchedule, scheduleInputOf, scheduleNames } from './apply-schedules.ts'

export interface MovedSchedule {
  name: string
  /** The schedule before the move. The move is an update, and `beginMissedWindow` ignores windows before an update. */
  before: ScheduleDescription
}

/**
 * Moves a warehouse's schedules to the queues of this process's workflow code: no worker polls the queues of another
 * version. Ends the windows that wait there, and begins a window in their place.
 */
export async function moveSchedules(
  client: Client,
  warehouseId: string,
  queues: QueueNames,
): Promise<MovedSchedule[]> {
  const moved: MovedSchedule[] = []
  for (const name of await scheduleNames(client, warehouseId)) {
    const id = scheduleId(warehouseId, name)
    const found = await findSchedule(client, id)
    const input = found === null ? null : scheduleInputOf(found)
    if (found === null || input === null) continue
    const handle = client.schedule.getHandle(id)
    if (found.action.taskQueue !== queues.workflows) {
      const args: [SyncInput] = [{ ...input, run: { ...input.run, queues } }]
      await handle.update((before: ScheduleDescription) => ({
        ...before,
        action: { ...before.action, taskQueue: queues.workflows, args },
      }))
      moved.push({ name, before: found })
    }
    if (await endForeignWindows(client, await handle.describe(), queues)) {
      await handle.trigger(ScheduleOverlapPolicy.BUFFER_ONE)
    }
  }
  return moved
}

/** Ends windows in the queues of other workflow code. @returns whether there were any */
async function endForeignWindows(
  client: Client,
  { info }: ScheduleDescription,
  queues: QueueNames,
): Promise<boolean> {
  let isAnyEnded = false
  for (const { workflow } of info.runningActions) {
    const window = client.workflow.getHandle(workflow.workflowId)
    const { status, taskQueue } = await window.describe()
    if (status.name !== 'RUNNING' || taskQueue === queues.workflows) continue
    await window.terminate('no worker has the workflow code that began it')
    isAnyEnded = true
  }
  return isAnyEnded
}
