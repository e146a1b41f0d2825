import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { zstdDecompressSync } from 'node:zlib'
import { frozenClock } from '../../config/clock.ts'
import { createSimulatedSource } from '../../service/simulated/simulated-source.ts'
import { OLD_MARKET } from '../fixtures/old-market.ts'
import { type Served, serveInTest } from './serve-source.ts'
import { openWarehouseFolder, type WarehouseFolder } from './warehouse-folder.ts'

const ARCHIVE = fileURLToPath(new URL('../fixtures/warehouse-0958b47.tar.zst', import.meta.url))

/** The warehouse that commit 0958b47 left (test/fixtures/make-warehouse.mjs), its market served, until the test ends. */
export async function openOldWarehouse(): Promise<{ folder: WarehouseFolder; served: Served }> {
  const source = createSimulatedSource(OLD_MARKET)
  const served = await serveInTest(source)
  const folder = openWarehouseFolder({ clock: frozenClock(OLD_MARKET.nowMs) })
  unpackOldWarehouse(folder.dir)
  const config = readFileSync(folder.configFile, 'utf8')
  writeFileSync(folder.configFile, config.replace(/base_url: "[^"]*"/, `base_url: "${served.url}"`))
  return { folder, served }
}

/** Writes coinlake.yaml, schedules.json and warehouse/ of commit 0958b47 into a folder. */
export function unpackOldWarehouse(dir: string): void {
  const tar = zstdDecompressSync(readFileSync(ARCHIVE))
  execFileSync('tar', ['-x', '-C', dir], { input: tar })
}
