import { readOrder } from '../../activities/plan/order-file.ts'
import type { Config } from '../../config/config.ts'
import { formatDuration } from '../../config/values/duration.ts'
import { pathsOf } from '../../config/warehouse-paths.ts'
import type { WantedDataset } from '../../plan/order.ts'
import { configOfSchedule } from '../run/scheduled-calls.ts'

/**
 * Datasets or steps (`market_chart 1d`) that windows of a schedule fetch, and that the configuration no longer has.
 * Also [] when the order cannot be read on this machine.
 *
 * @param templateId id of the order that the server gives to the windows
 */
export async function leftOver(
  config: Config,
  schedule: string,
  templateId: string,
): Promise<string[]> {
  const configured = config.schedules[schedule]
  if (configured === undefined) return []
  const order = await readOrder(pathsOf(config).ordersDir, templateId).catch(() => null)
  const { datasets } = configOfSchedule(config, configured)
  const wanted = new Set(datasets.flatMap((one) => [one.dataset, stepText(one)]))
  const asked = (order?.wanted ?? []).map((one) =>
    wanted.has(one.dataset) ? stepText(one) : one.dataset,
  )
  return [...new Set(asked.filter((text) => !wanted.has(text)))]
}

function stepText({
  dataset,
  granularity,
  everyMs,
}: Pick<WantedDataset, 'dataset' | 'granularity' | 'everyMs'>): string {
  const step = granularity === '' && everyMs > 0 ? formatDuration(everyMs) : granularity
  return step === '' ? dataset : `${dataset} ${step}`
}
