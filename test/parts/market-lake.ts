import { onTestFinished } from 'vitest'
import { type DayMarket, serveMarket } from './day-market.ts'
import { type Lake, type LakeOptions, openLake } from './lake.ts'
import type { Served } from './serve-source.ts'
import { openWarehouseFolder } from './warehouse-folder.ts'
import type { FolderOptions, WarehouseFolder } from './warehouse-folder.ts'

/** Tells when the service and the warehouse may go: after the test, or `afterAll`. */
type WhenDone = (undo: () => Promise<void>) => void

/** A day market behind a socket. The service ends after the test; for all tests of a file or group: `marketUntil(..., afterAll)`. */
export async function marketUntil(
  market: DayMarket,
  whenDone: WhenDone = onTestFinished,
): Promise<Served> {
  const service = await serveMarket(market)
  whenDone(service.close)
  return service
}

/** A day market, and a warehouse that processes fill from it. Both go after the test. */
export async function openMarketLake(
  market: DayMarket,
  datasetLines: readonly string[],
  options: LakeOptions = {},
  whenDone: WhenDone = onTestFinished,
): Promise<{ service: Served; lake: Lake }> {
  const service = await marketUntil(market, whenDone)
  const lake = openLake(service.url, datasetLines, options)
  whenDone(lake.remove)
  return { service, lake }
}

/** A day market, and a folder in which commands run. Both go after the test, or `afterAll`. */
export async function openMarketFolder(
  market: DayMarket,
  options: (service: Served) => FolderOptions,
  whenDone: WhenDone = onTestFinished,
): Promise<{ service: Served; folder: WarehouseFolder }> {
  const service = await marketUntil(market, whenDone)
  const folder = openWarehouseFolder({ ...options(service), whenDone })
  return { service, folder }
}
