import type { Client, ScheduleDescription } from '@temporalio/client'
import { scheduleId } from '../../workflows/sync-messages.ts'
import type { SyncInput } from '../../workflows/sync-messages.ts'
import type { QueueNames } from '../queues.ts'
import { describe, inputOf, listedNames } from './apply-schedules.ts'

/**
 * Moves the schedules of a warehouse to the queues of this process's workflow code, because no worker polls the queues
 * of the version that applied them any more.
 *
 * @returns the names of the moved schedules.
 */
export async function moveSchedules(
  client: Client,
  warehouseId: string,
  queues: QueueNames,
): Promise<string[]> {
  const moved: string[] = []
  for (const name of await listedNames(client, warehouseId)) {
    const id = scheduleId(warehouseId, name)
    const found = await describe(client, id)
    const input = found === null ? null : inputOf(found)
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
