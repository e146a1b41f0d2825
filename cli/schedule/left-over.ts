import { readOrder } from '../../activities/order-file.ts'
import type { Config } from '../../config/config.ts'
import { pathsOf } from '../../config/warehouse-paths.ts'
import { ofSchedule } from '../run/scheduled-calls.ts'
import type { ScheduleRow } from './schedule-rows.ts'

/**
 * Datasets that the windows of a schedule ask for and the configuration, which was changed since it was
 * applied, does not. [] also where the order cannot be read here: it lies beside the warehouse.
 *
 * @param templateId the order that the schedule of the server gives to its windows
 */
export async function leftOver(
  config: Config,
  schedule: string,
  templateId: string,
): Promise<string[]> {
  const configured = config.schedules[schedule]
  if (configured === undefined) return []
  const order = await readOrder(pathsOf(config).ordersDir, templateId).catch(() => null)
  const wanted = new Set(Object.keys(ofSchedule(config, configured).datasets))
  const asked = (order?.wanted ?? []).map(({ dataset }) => dataset)
  return [...new Set(asked.filter((dataset) => !wanted.has(dataset)))]
}

/** One line for each schedule whose windows do something else than the configuration says. */
export function leftOverLines(rows: readonly ScheduleRow[]): string[] {
  return rows.flatMap(({ name, state, when, leftOver: datasets }) => {
    if (when === null) return [`${name} is not in the configuration, and its windows go on`]
    if (state === 'not applied') return [`${name} is not on the server: nothing begins it`]
    if (datasets.length === 0) return []
    return [`${name} still asks for ${datasets.join(', ')}, which its configuration does not`]
  })
}
