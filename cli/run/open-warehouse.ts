import { existsSync } from 'node:fs'
import { chmod, mkdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { sweepTemp } from '../../config/atomic-file.ts'
import type { Clock } from '../../config/clock.ts'
import type { Config } from '../../config/config.ts'
import { pathsOf, warehouseIdOf } from '../../config/warehouse-paths.ts'
import type { WarehousePaths } from '../../config/warehouse-paths.ts'
import { datasets } from '../../datasets/index.ts'
import { openStore } from '../../sinks/duckdb-store/open-store.ts'
import type { Store } from '../../sinks/duckdb-store/open-store.ts'
import type { Publication } from '../../sinks/publication.ts'
import { createBucketPublication } from '../../sinks/publish-bucket/bucket-publication.ts'
import { createDuckdbPublication } from '../../sinks/publish-duckdb/duckdb-publication.ts'
import { createParquetPublication } from '../../sinks/publish-parquet/parquet-publication.ts'
import { SinkError } from '../../sinks/sink-error.ts'
import type { Stage } from '../../stage/open-stage.ts'
import { isS3 } from '../../stage/s3-files.ts'
import { storeOf } from '../ledger/store-of.ts'
import { coinlakeVersion } from '../version.ts'
import { closeAll } from './closing-after.ts'
import { holdFolder } from './hold-folder.ts'
import { stageOf } from './stage-of.ts'

/** A warehouse that this process holds open for writing. */
export interface OpenWarehouse {
  paths: WarehousePaths
  store: Store
  stage: Stage
  publications: Publication[]
  close: () => Promise<void>
}

/**
 * Opens the warehouse of a configuration: makes its folders, takes the store's lock, and prepares the
 * publications the config asks for.
 *
 * @throws SinkError when the place cannot be written, or the store is held by another process.
 */
export async function openWarehouse(
  config: Config,
  clock: Clock,
  onDamaged: (text: string) => void,
): Promise<OpenWarehouse> {
  const paths = pathsOf(config)
  await makeFolders(paths)
  const free = paths.lake === null ? () => undefined : holdFolder(paths)
  const tables = datasets.flatMap((dataset) => dataset.tables)
  const options = { file: storeOf(paths), tables, datasets, coinlakeVersion, clock }
  const store = await openStore(options).catch((error: unknown) => {
    free()
    throw error
  })
  const stage = stageOf(config, {
    dir: paths.stageDir,
    onDamaged: ({ reason, movedTo }) =>
      onDamaged(`a staged page was damaged (${reason}); moved to ${movedTo}, fetched again`),
  })
  // A worker that goes on with a killed one's run never opens it anew: the rests go here too.
  await stage.sweep()
  const { stateDir, runsDir, ordersDir, duckdbDir } = paths
  for (const dir of [stateDir, runsDir, ordersDir, duckdbDir]) await sweepTemp(dir)
  const connection = await store.connect()
  const make = {
    duckdb: () =>
      createDuckdbPublication({
        connection,
        alone: store.alone,
        tables,
        dir: paths.duckdbDir,
        link: paths.duckdbLink,
      }),
    parquet: () => {
      const common = { connection, tables, version: config.parquetVersion }
      if (paths.parquetBucket === null) {
        const { parquetVersionsDir: dir, parquetLink: link } = paths
        return createParquetPublication({ ...common, dir, link })
      }
      const { place } = paths.parquetBucket
      const scratchDir = join(paths.stateDir, 'parquet-on-its-way')
      const warehouse = warehouseIdOf(config)
      return createBucketPublication({ ...common, place, warehouse, scratchDir })
    },
  }
  const publications: Publication[] = config.sinks.map((name) => make[name]())
  return {
    paths,
    store,
    stage,
    publications,
    close: () => closeAll([() => connection.closeSync(), () => store.close(), free]),
  }
}

async function makeFolders(paths: WarehousePaths): Promise<void> {
  try {
    await makeFolder(paths.root)
    // The state and the stage are nobody else's: they hold the ledger and raw answers.
    const { stateDir, stageDir, runsDir, ordersDir, logsDir } = paths
    for (const dir of [stateDir, stageDir, runsDir, ordersDir, logsDir]) {
      if (isS3(dir)) continue
      await makeFolder(dir, 0o700)
      await keepPrivate(dir)
    }
  } catch (error) {
    const { code = 'unknown', path = '' } = error as NodeJS.ErrnoException
    const whys: Record<string, string> = {
      EEXIST: `${path} is a file, not a folder`,
      ENOTDIR: 'a part of that path is a file, not a folder',
    }
    const why = whys[code] ?? code
    throw new SinkError(`the warehouse ${paths.root} cannot be made or written (${why})`, {
      code: 'WAREHOUSE_NOT_WRITABLE',
      hint: 'Name a folder that you may write with `warehouse:` in coinlake.yaml.',
      cause: error,
    })
  }
}

/**
 * A folder that was made by hand, or copied without its rights: what DuckDB writes beside the store is private
 * by its folder only. A folder of another user is left to that user.
 */
async function keepPrivate(dir: string): Promise<void> {
  const { mode } = await stat(dir)
  if ((mode & 0o077) !== 0) await chmod(dir, mode & 0o7700).catch(() => undefined)
}

/**
 * Makes a folder and those above it. Node's own `recursive` never returns where a file system makes no
 * folders at all and says ENOENT, as /proc does.
 */
async function makeFolder(dir: string, mode?: number): Promise<void> {
  try {
    await mkdir(dir, { mode })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    const above = dirname(dir)
    if (code === 'ENOENT' && !existsSync(above)) {
      await makeFolder(above, mode)
      await mkdir(dir, { mode })
    } else if (code !== 'EEXIST' || !(await stat(dir)).isDirectory()) {
      throw error
    }
  }
}
