import { execFileSync } from 'node:child_process'
import { lstatSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { zstdDecompressSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import type { ScheduleRow } from '../../cli/schedule/schedule-rows.ts'
import { frozenClock } from '../../config/clock.ts'
import { warehouseId } from '../../config/warehouse-paths.ts'
import { createSimulatedSource } from '../../service/simulated/simulated-source.ts'
import { OLD_COINS, OLD_MARKET } from '../fixtures/old-market.ts'
import { type Served, serveInTest } from '../parts/serve-source.ts'
import { tableHashes } from '../parts/table-hashes.ts'
import { askDuckdb } from '../parts/duckdb.ts'
import { temporalClient } from '../parts/temporal-client.ts'
import { openWarehouseFolder, type WarehouseFolder } from '../parts/warehouse-folder.ts'

const ARCHIVE = fileURLToPath(new URL('../fixtures/warehouse-0958b47.tar.zst', import.meta.url))

/** The warehouse that commit 0958b47 left (test/fixtures/make-warehouse.mjs), its market served, until the test ends. */
async function openOldWarehouse(): Promise<{ folder: WarehouseFolder; served: Served }> {
  const source = createSimulatedSource(OLD_MARKET)
  const served = await serveInTest(source)
  const folder = openWarehouseFolder({ clock: frozenClock(OLD_MARKET.nowMs) })
  const tar = zstdDecompressSync(readFileSync(ARCHIVE))
  execFileSync('tar', ['-x', '-C', folder.dir], { input: tar })
  const config = readFileSync(folder.configFile, 'utf8')
  writeFileSync(folder.configFile, config.replace(/base_url: "[^"]*"/, `base_url: "${served.url}"`))
  return { folder, served }
}

const BY_COIN = `SELECT coin_id, count(*)::INTEGER AS rows FROM market_chart GROUP BY ALL ORDER BY ALL`

async function rowsOf(file: string): Promise<Record<string, number>> {
  const rows = (await askDuckdb(file, BY_COIN, 'READ_ONLY')).getRows()
  return Object.fromEntries(rows) as Record<string, number>
}

test('a warehouse of commit 0958b47 is gone on with, published, replayed and restored from its pages of three files', async () => {
  const { folder, served } = await openOldWarehouse()
  const { duckdbLink, parquetLink, parquetVersionsDir, storeFile } = folder.paths
  expect(lstatSync(parquetLink).isDirectory()).toBe(true)
  const before = await rowsOf(duckdbLink)
  for (const look of ['status', 'report', 'doctor', 'verify']) {
    expect((await folder.run(look)).stderr, look).not.toMatch(/UNEXPECTED|Binder Error|not known/)
  }

  // Its pages that were staged answer; moving ends alone are asked for again.
  const backfill = await folder.run('backfill', '--json')
  expect(backfill.stderr).toBe('')
  expect(backfill.exitCode).toBe(0)
  const asked = served.log.map(({ path }) => path)
  expect(asked).not.toContain(`/v2/coins/${OLD_COINS.staged}/market_chart/range`)
  expect(asked).not.toContain('/v2/coins/markets')
  const after = await rowsOf(duckdbLink)
  const each = after[OLD_COINS.loaded[0]!]
  expect(after).toEqual({ ...before, [OLD_COINS.unreleased]: each, [OLD_COINS.staged]: each })

  // The folder of its tree is a version now, and the link that took its place leads to the next.
  expect(readlinkSync(parquetLink)).toBe('parquet-versions/2')
  expect(readdirSync(parquetVersionsDir).toSorted()).toEqual(['1', '2'])
  expect(await tableHashes(folder.paths)).toEqual(await tableHashes(storeFile))

  const replayed = await folder.run('quarantine', 'replay', '--all', '--json')
  expect(JSON.parse(replayed.stdout)).toMatchObject({ replayed: [], unreadable: [] })

  const whole = await tableHashes(storeFile)
  rmSync(storeFile)
  // From the pages alone.
  rmSync(duckdbLink)
  const restored = await folder.run('restore', '--json')
  expect(restored.stderr).toBe('')
  expect(JSON.parse(restored.stdout)).toMatchObject({ calls: 0, lost: [] })
  expect(await tableHashes(storeFile)).toEqual(whole)
  expect(served.log).toHaveLength(asked.length)
})

/** A schedule as a server keeps it: what the fixture holds of each. */
interface KeptSchedules {
  warehouseId: string
  schedules: {
    schedule: { action: { startWorkflow: { input: { payloads: { data: string }[] } } } }
  }[]
}

test('a schedule that commit 0958b47 applied is moved by a worker, and its next window runs', async () => {
  const { folder, served } = await openOldWarehouse()
  const id = warehouseId(folder.paths.root)
  const kept = JSON.parse(readFileSync(join(folder.dir, 'schedules.json'), 'utf8')) as KeptSchedules
  const [payload] = kept.schedules[0]!.schedule.action.startWorkflow.input.payloads
  const input = Buffer.from(payload!.data, 'base64').toString().replaceAll(kept.warehouseId, id)
  const { schedule } = await temporalClient()
  await schedule.create({
    scheduleId: `coinlake/${id}/hourly`,
    spec: { intervals: [{ every: '1h', offset: '5m' }] },
    action: {
      type: 'startWorkflow',
      workflowType: 'syncWarehouse',
      workflowId: `sync/${id}/hourly`,
      taskQueue: 'coinlake-workflows',
      args: [JSON.parse(input)],
    },
  })
  onTestFinished(() => schedule.getHandle(`coinlake/${id}/hourly`).delete())
  const worker = folder.start(['worker', '-c', folder.configFile])
  await worker.says('hourly: another coinlake had applied it; its windows come here from now on')
  await worker.says('working on')
  expect((await folder.run('schedule', 'trigger', 'hourly')).exitCode).toBe(0)
  const outcome = async (): Promise<unknown> => {
    const { stdout } = await folder.run('schedule', 'list', '--json')
    return (JSON.parse(stdout) as ScheduleRow[])[0]?.outcome
  }
  await expect.poll(outcome, { timeout: 60_000, interval: 300 }).toBe('complete')
  worker.kill('SIGTERM')
  expect((await worker.ended).code).toBe(0)
  expect(served.log.length).toBeGreaterThan(0)
}, 120_000)
