import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import type { RunReport } from '../../../activities/run-report.ts'
import type { Alert } from '../../../activities/alerts/alert.ts'
import { readOrder, writeOrder } from '../../../activities/plan/order-file.ts'
import type { ReportFacts } from '../../../cli/report/facts/report-facts.ts'
import type { ScheduleRow } from '../../../cli/schedule/schedule-rows.ts'
import { warehouseId } from '../../../config/warehouse-paths.ts'
import { scheduleInputOf } from '../../../engine/schedules/apply-schedules.ts'
import { scheduleId } from '../../../workflows/sync-messages.ts'
import type { Lake } from '../../parts/lake.ts'
import { openMarketLake } from '../../parts/market-lake.ts'
import { temporalClient } from '../../parts/temporal-client.ts'

const GONE = 'order_books'

/** Lets the windows of a schedule ask for a dataset, too, which this coinlake does not have. */
async function askAlso(lake: Lake, schedule: string, dataset: string): Promise<void> {
  const client = await temporalClient()
  const handle = client.schedule.getHandle(scheduleId(warehouseId(lake.paths.root), schedule))
  const input = scheduleInputOf(await handle.describe())!
  const { ordersDir } = lake.paths
  const { wanted } = await readOrder(ordersDir, input.templateId)
  const other = { ...wanted[0]!, dataset }
  const templateId = await writeOrder(ordersDir, { wanted: [other, ...wanted] })
  await handle.update(({ action, ...rest }) => {
    return { ...rest, action: { ...action, args: [{ ...input, templateId }] } }
  })
}

test('a dataset that is no more, in the program or in the file: said by name, and the others come in', async () => {
  const charts = 'market_chart: { coins: [bitcoin], granularity: hourly, from: 2024-03-01 }'
  const lines = [charts, 'exchange_rates: {}']
  const { lake } = await openMarketLake({ coins: 2, latencyMs: 0 }, lines, { sinks: ['duckdb'] })
  const told = join(dirname(lake.configFile), 'told.json')
  appendFileSync(
    lake.configFile,
    `alerts: { command: [/bin/sh, -c, 'cat > "$0"', ${told}] }\nschedules: { yearly: { cron: "30 0 5 4 *" } }\n`,
  )
  const run = async (...words: string[]): Promise<string> => {
    const { code, stdout, stderr } = await lake.start(words).ended
    expect(code, stderr).toBe(0)
    return stdout
  }
  await run('schedule', 'apply')
  const file = readFileSync(lake.configFile, 'utf8')
  writeFileSync(lake.configFile, file.replace('  exchange_rates: {}\n', ''))
  const worker = lake.start(['worker'])
  await worker.says(
    'schedule yearly still fetches exchange_rates, which its configuration does not have: run `coinlake schedule apply`',
  )
  await askAlso(lake, 'yearly', GONE)
  expect(await run('schedule', 'list')).toContain(
    `yearly still fetches ${GONE}, exchange_rates, which`,
  )
  await run('schedule', 'trigger', 'yearly')
  const outcome = async (): Promise<unknown> =>
    (JSON.parse(await run('schedule', 'list', '--json')) as ScheduleRow[])[0]?.outcome
  await expect.poll(outcome, { timeout: 90_000, interval: 500 }).toBe('partial')
  // A worker that is stopped has told what it had to tell.
  worker.kill('SIGINT')
  expect((await worker.ended).code).toBe(0)

  const { report } = (JSON.parse(await run('report', '--json')) as ReportFacts).run
  const { slices, failures, datasets } = report as RunReport
  expect(slices).toMatchObject({ failed: 1, missing: 0 })
  const code = 'DATASET_GONE'
  expect(failures).toMatchObject([{ dataset: GONE, code }])
  expect(failures[0]?.reason).toContain(`${GONE}, which is no dataset of this coinlake`)
  const whole = datasets.filter(({ failed, missing }) => failed + missing === 0)
  expect(whole.map(({ dataset }) => dataset).toSorted()).toEqual(['exchange_rates', 'market_chart'])
  const alert = JSON.parse(readFileSync(told, 'utf8')) as Alert
  expect(alert).toMatchObject({ event: 'partial', run: { failures: [{ dataset: GONE, code }] } })
  // Nothing that looks into the ledger stumbles over a name that it does not know.
  expect(await run('verify')).toContain('no difference')
  await run('gaps')
  await run('status')
})
