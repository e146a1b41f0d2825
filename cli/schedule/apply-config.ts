import type { Client } from '@temporalio/client'
import type { Config } from '../../config/config.ts'
import { warehouseIdOf } from '../../config/warehouse-paths.ts'
import { applySchedules } from '../../engine/schedules/apply-schedules.ts'
import type { ScheduleChange } from '../../engine/schedules/apply-schedules.ts'
import type { Effects } from '../effects.ts'
import { wantedSchedules } from './wanted-schedules.ts'

/** Makes the schedules of the server what the configuration says. */
export async function applyConfig(
  effects: Effects,
  client: Client,
  config: Config,
  mayReplace: boolean,
): Promise<ScheduleChange[]> {
  const wanted = await wantedSchedules(effects, config)
  return applySchedules(client, warehouseIdOf(config), wanted, mayReplace)
}
