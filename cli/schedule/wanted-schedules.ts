import { createHash } from 'node:crypto'
import { hostname } from 'node:os'
import { resolve } from 'node:path'
import { readOrder, writeOrder } from '../../activities/plan/order-file.ts'
import { ConfigError } from '../../config/config-error.ts'
import { requireKeys } from '../../config/require-key.ts'
import type { Config } from '../../config/config.ts'
import type { ScheduleConfig } from '../../config/settings/read-schedules.ts'
import { wantedFromConfig } from '../../config/wanted.ts'
import { pathsOf, warehouseIdOf } from '../../config/warehouse-paths.ts'
import { datasets } from '../../datasets/index.ts'
import { queueNames } from '../../engine/queues.ts'
import type { WantedSchedule } from '../../engine/schedules/apply-schedules.ts'
import { workflowsId } from '../../engine/workflow-bundle.ts'
import { orderId } from '../../plan/order-id.ts'
import type { Effects } from '../effects.ts'
import { makeFolders } from '../run/open-warehouse.ts'
import { configOfSchedule } from '../run/scheduled-calls.ts'

/** Enough to tell two definitions of one schedule apart. */
const HEX_DIGITS = 16

/**
 * The schedules of the configuration. Writes the order file of each into the warehouse's folder of orders.
 *
 * @throws ConfigError CONFIG_NO_SCHEDULES, CONFIG_NO_KEY; SinkError WAREHOUSE_NOT_WRITABLE, ORDER_NOT_WRITTEN
 */
export async function wantedSchedules(effects: Effects, config: Config): Promise<WantedSchedule[]> {
  requireKeys(config)
  const warehouseId = warehouseIdOf(config)
  const queues = queueNames({ warehouseId, workflowsId: workflowsId() })
  const { every } = config.publish
  const all = Object.values(config.schedules)
  if (all.length === 0) {
    throw new ConfigError(`${config.file} has no schedules`, {
      code: 'CONFIG_NO_SCHEDULES',
      hint: 'Add `schedules: { hourly: { every: 1h } }`; `coinlake schedule delete --all` ends those of the server.',
    })
  }
  await makeFolders(pathsOf(config))
  return Promise.all(
    all.map(async (schedule) => {
      const { templateId, isOrderRewritten } = await writeScheduleOrder(effects, config, schedule)
      const facts = {
        warehouseId,
        schedule: schedule.name,
        templateId,
        appliedFrom: `${hostname()}:${resolve(effects.cwd, config.file)}`,
        run: every === 'end' ? {} : { publishEveryMs: every },
      }
      const text = JSON.stringify({ schedule: { ...schedule, origin: '' }, facts })
      const definition = createHash('sha256').update(text).digest('hex').slice(0, HEX_DIGITS)
      const input = { ...facts, run: { ...facts.run, queues }, definition }
      return { config: schedule, taskQueue: queues.workflows, input, isOrderRewritten }
    }),
  )
}

/** @returns the order's id, and whether its file was missing, as in a restored warehouse */
export async function writeScheduleOrder(
  { clock }: Effects,
  config: Config,
  schedule: ScheduleConfig,
): Promise<{ templateId: string; isOrderRewritten: boolean }> {
  const { ordersDir } = pathsOf(config)
  const order = { wanted: wantedFromConfig(configOfSchedule(config, schedule), datasets, clock) }
  const found = await readOrder(ordersDir, orderId(order)).catch(() => null)
  return { templateId: await writeOrder(ordersDir, order), isOrderRewritten: found === null }
}
