import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, onTestFinished, test } from 'vitest'
import type { WarehousePaths } from '../../config/warehouse-paths.ts'
import { expectUndisturbed, IN_FLIGHT } from './crash-case.ts'
import { openSmallLake, runUndisturbed, serveSmallMarket } from './crash-market.ts'
import type { Undisturbed } from './crash-market.ts'
import { reportOf } from './report-of.ts'
import type { Lake } from '../parts/lake.ts'
import type { Served } from '../parts/serve-source.ts'
import { mountSmallDisk, whyNoSmallDisk } from './small-disk.ts'
import type { SmallDisk } from './small-disk.ts'
import { askDuckdb } from '../parts/duckdb.ts'
import { tempDir } from '../parts/temp-dir.ts'

const KIB = 1_024
const MIB = 1_024 * KIB
const LARGE = 256 * MIB
/** So that the small steps of stage and load are met as well as the large ones of a publication. */
const GROWTH = 1.3

const folder = tempDir(afterAll)
const why = whyNoSmallDisk(join(folder, 'try'))
const engineDir = inject('temporal').stateDir
let undisturbed: Undisturbed

beforeAll(async () => {
  if (why !== null) return
  undisturbed = await runUndisturbed('both', engineDir)
})

interface SmallPlace {
  service: Served
  lake: Lake
  disk: SmallDisk
}

/** A warehouse of which one folder lies on a small disk. */
async function openSmallPlace(
  dirOf: (paths: WarehousePaths) => string,
  sizeBytes: number,
): Promise<SmallPlace> {
  const service = await serveSmallMarket()
  const lake = openSmallLake(service, 'both', engineDir)
  const disk = mountSmallDisk(dirOf(lake.paths), sizeBytes)
  onTestFinished(async () => {
    disk.remove()
    await lake.remove()
    await service.close()
  })
  return { service, lake, disk }
}

test.for([
  ['stage', 'stageDir', 48, 'STAGE_DISK_FULL'],
  ['load', 'stateDir', 96, 'STORE_DISK_FULL'],
  ['publication in DuckDB', 'duckdbDir', 512, 'PUBLISH_DISK_FULL'],
  ['publication in Parquet', 'parquetVersionsDir', 24, 'PUBLISH_DISK_FULL'],
] as const)(
  'full during the %s: exit code 5 names the file; with room again all is equal',
  async ([what, dir, leftKib, code], context) => {
    if (why !== null) context.skip(why)
    const { service, lake, disk } = await openSmallPlace((paths) => paths[dir], LARGE)
    // A store is made in megabytes: that it can be made at all is proven elsewhere.
    if (what === 'load')
      reportOf(await lake.start(['backfill', '--json', '--dataset', 'coins']).ended)
    disk.fillUpTo(leftKib * KIB)
    const told = await lake.start(['backfill']).ended
    expect(told.code).toBe(5)
    expect(told.stderr).toContain(`error[${code}]`)
    expect(told.stderr).toContain(lake.paths[dir])
    expect(told.stderr).toMatch(/\n {2}hint: .*[Ff]ree some/)
    disk.makeRoom()
    reportOf(await lake.start(['backfill', '--json']).ended)
    const counted = await askDuckdb(lake.paths.storeFile, 'SELECT sum(calls) FROM _requests')
    expect(Number(counted.getRows()[0]?.[0])).toBe(service.log.length)
    // Nothing is asked for that could not be kept.
    await expectUndisturbed(lake, service, undisturbed, { publication: 'both', mayRepeat: 0 })
  },
)

test('a whole warehouse on a disk that grows by little: each command ends in order, the last one equal', async (context) => {
  const reason =
    why ?? (process.env['COINLAKE_TEST_BIG'] === '1' ? null : 'COINLAKE_TEST_BIG is not 1')
  if (reason !== null) context.skip(reason)
  const { service, lake, disk } = await openSmallPlace(({ root }) => root, 64 * KIB)
  const codes: string[] = []
  const backfillHere = () => lake.start(['backfill']).ended
  let told = await backfillHere()
  for (let sizeBytes = 96 * KIB; told.code !== 0; sizeBytes *= GROWTH) {
    expect(told.code).toBe(5)
    expect(told.stderr).toMatch(/error\[[A-Z_]+\]: .*\n {2}hint: ./)
    codes.push(/error\[([A-Z_]+)\]/.exec(told.stderr)?.[1] ?? '')
    disk.grow(Math.ceil(sizeBytes))
    told = await backfillHere()
  }
  console.log(`full ${codes.length} times: ${codes.join(' ')}`)
  expect(new Set(codes).size).toBeGreaterThan(2)
  const mayRepeat = IN_FLIGHT * codes.length
  await expectUndisturbed(lake, service, undisturbed, { publication: 'both', mayRepeat })
})
