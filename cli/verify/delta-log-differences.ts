import { join } from 'node:path'
import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { deltaPlace, type WarehousePaths } from '../../config/warehouse-paths.ts'
import { readDeltaManifest } from '../../sinks/publish-delta/delta-manifest.ts'
import { filesAt } from '../../sinks/publish-delta/folder-files.ts'
import { logFaults } from '../../sinks/publish-delta/log-faults.ts'
import { objectSizes } from '../../sinks/publish-delta/sweep-objects.ts'
import { difference, type Difference } from '../../sinks/verify/verify-source.ts'

/** The tables of a Delta Lake publication whose logs do not lead to the files of its manifest. */
export async function deltaLogDifferences(paths: WarehousePaths): Promise<Difference[]> {
  const place = deltaPlace(paths)
  if (place === null) return []
  const files = filesAt(place)
  const read = await readDeltaManifest(place, files)
  if (read === null) return []
  const scratchDir = join(paths.stateDir, `verify-${randomUUID()}`)
  try {
    const faults = await logFaults(files, await objectSizes(files), read.manifest, scratchDir)
    return [...faults].map(([table, found]) => {
      const what = `${place}/${table}/_delta_log`
      const expected = 'the files of the manifest'
      return difference({ place: 'parquet' }, { check: 'file', table, what, expected, found })
    })
  } finally {
    await rm(scratchDir, { recursive: true, force: true })
  }
}
