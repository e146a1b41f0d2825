import type { Client, ScheduleDescription } from '@temporalio/client'
import { scheduleId } from '../../workflows/sync-messages.ts'
import type { SyncInput } from '../../workflows/sync-messages.ts'
import type { QueueNames } from '../queues.ts'
import { findSchedule, scheduleInputOf, scheduleNames } from './apply-schedules.ts'

/**
 * Moves a warehouse's schedules to the queues of this process's workflow code: no worker polls the queues of another
 * version.
 *
 * @returns the names of the moved schedules.
 */
export async function moveSchedules(
  client: Client,
  warehouseId: string,
  queues: QueueNames,
): Promise<string[]> {
  const moved: string[] = []
  for (const name of await scheduleNames(client, warehouseId)) {
    const id = scheduleId(warehouseId, name)
    const found = await findSchedule(client, id)
    const input = found === null ? null : scheduleInputOf(found)
    if (found === null || input === null || found.action.taskQueue === queues.workflows) continue
    const args: [SyncInput] = [{ ...input, run: { ...input.run, queues } }]
    await client.schedule.getHandle(id).update((before: ScheduleDescription) => ({
      ...before,
      action: { ...before.action, taskQueue: queues.workflows, args },
    }))
    moved.push(name)
  }
  return moved
}
