import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, onTestFinished, test } from 'vitest'
import { expectUndisturbed } from './crash-case.ts'
import { openSmallLake, runUndisturbed, serveSmallMarket } from './crash-market.ts'
import type { Undisturbed } from './crash-market.ts'
import { reportOf } from './report-of.ts'
import { mountSmallDisk, whyNoSmallDisk } from './small-disk.ts'
import { askDuckdb } from '../parts/duckdb.ts'
import { tempDir } from '../parts/temp-dir.ts'

const KIB = 1_024
const DISK_BYTES = 256 * KIB * KIB

const folder = tempDir(afterAll)
const why = whyNoSmallDisk(join(folder, 'try'))
const engineDir = inject('temporal').stateDir
let undisturbed: Undisturbed

beforeAll(async () => {
  if (why !== null) return
  undisturbed = await runUndisturbed('both', engineDir)
})

test.for([
  ['stage', 'stageDir', 48, 'STAGE_DISK_FULL'],
  ['load', 'stateDir', 96, 'STORE_DISK_FULL'],
  ['publication in DuckDB', 'duckdbDir', 512, 'PUBLISH_DISK_FULL'],
  ['publication in Parquet', 'parquetVersionsDir', 24, 'PUBLISH_DISK_FULL'],
] as const)(
  'full during the %s: exit code 5 names the file; with room again all is equal',
  async ([what, dir, leftKib, code], context) => {
    if (why !== null) context.skip(why)
    const service = await serveSmallMarket()
    const lake = openSmallLake(service, 'both', engineDir)
    const disk = mountSmallDisk(lake.paths[dir], DISK_BYTES)
    onTestFinished(async () => {
      disk.remove()
      await lake.remove()
      await service.close()
    })
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
