import { existsSync } from 'node:fs'
import { chmod, mkdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { sweepTemp } from '../../config/atomic-file.ts'
import type { Clock } from '../../config/clock.ts'
import type { Config, SinkName } from '../../config/config.ts'
import { missingKeyWarning } from '../../config/require-key.ts'
import { pathsOf, type WarehousePaths } from '../../config/warehouse-paths.ts'
import { lockHolder, releaseLock, takeLock } from '../../engine/pid-lock.ts'
import type { Store } from '../../sinks/duckdb-store/open-store.ts'
import type { Publication } from '../../sinks/publication.ts'
import { SinkError, WarehouseBusyError } from '../../sinks/sink-error.ts'
import { readBlocks } from '../../sinks/verify/read-blocks.ts'
import type { Stage } from '../../stage/open-stage.ts'
import { isS3 } from '../../stage/s3-files.ts'
import { continueLoadNumbers, requireNewestStore } from '../ledger/load-numbers.ts'
import { goneStoreError } from '../ledger/lost-store.ts'
import { requireSameSource } from '../ledger/same-source.ts'
import { openStoreAt, storePlaceOf } from '../ledger/store-of.ts'
import { isDamage, checkPublishedBytes } from '../verify/check-published-bytes.ts'
import { closeAll } from './closing-after.ts'
import { openPublications } from './open-publications.ts'
import { openConfiguredStage } from './open-configured-stage.ts'

/** Time in which a starting process checks the store and each publication against their checksums. */
const LOOK_MS = 300

/** A warehouse that this process holds open for writing. */
export interface OpenWarehouse {
  paths: WarehousePaths
  store: Store
  stage: Stage
  publications: Publication[]
  close: () => Promise<void>
}

/**
 * Opens the warehouse of a configuration: makes its folders, takes the store's lock, and prepares its publications.
 *
 * @throws SinkError when the place cannot be written, or the store is held, damaged, gone or an old copy
 */
export async function openWarehouse(
  config: Config,
  clock: Clock,
  tell: (text: string) => void,
  { isAfresh = false }: { isAfresh?: boolean } = {},
): Promise<OpenWarehouse> {
  const paths = pathsOf(config)
  const gone = goneStoreError(paths)
  if (gone !== null && !isAfresh) throw gone
  await makeFolders(paths)
  const free = paths.lake === null ? () => undefined : holdFolder(paths)
  const store = await openStoreAt(storePlaceOf(paths), clock).catch((error: unknown) => {
    free()
    throw error
  })
  try {
    if (isAfresh) await continueLoadNumbers(store, paths)
    const source = { rows: store.query }
    await requireNewestStore(paths, source)
    const { recordRequests: record } = store
    const otherSource = await requireSameSource(config, source, { isAfresh, record })
    const warnings = [otherSource, missingKeyWarning(config)]
    for (const text of warnings) if (text !== null) tell(`warning: ${text}`)
    if (paths.lake === null) await readBlocks(source, LOOK_MS)
    const stage = openConfiguredStage(config, {
      dir: paths.stageDir,
      onDamaged: ({ reason, movedTo }) =>
        tell(
          `a staged page was damaged (${reason}); it was moved to ${movedTo} and is fetched again`,
        ),
    })
    // The plan of a run sweeps, too. A worker that continues the run of a killed one makes no plan.
    await stage.sweep()
    const { stateDir, runsDir, ordersDir, duckdbDir } = paths
    for (const dir of [stateDir, runsDir, ordersDir, duckdbDir]) await sweepTemp(dir)
    const { publications, close } = await openPublications(config, store, paths)
    const damaged = new Set<SinkName>()
    for (const sink of config.sinks) {
      await checkPublishedBytes(paths, sink, LOOK_MS).catch((error: unknown) => {
        // Other errors concern readers, and not the run.
        if (!isDamage(error)) return
        damaged.add(sink)
        tell(`${error.message}; this run publishes it again`)
      })
    }
    return {
      paths,
      store,
      stage,
      publications: publications.map((one) => (damaged.has(one.name) ? anewAtFirst(one) : one)),
      close: () => closeAll([close, () => store.close(), free]),
    }
  } catch (error) {
    await closeAll([() => store.close(), free])
    throw error
  }
}

/**
 * Takes the folder of a warehouse for this process, because state and publications belong to one worker. A store in
 * the folder has its own lock; a lake has none, so each of its workers needs this.
 *
 * @returns releases the folder
 * @throws WarehouseBusyError WAREHOUSE_HELD
 */
function holdFolder({ root, stateDir }: WarehousePaths): () => void {
  const file = join(stateDir, 'warehouse.lock')
  if (takeLock(file)) return () => releaseLock(file)
  throw new WarehouseBusyError(
    `the folder ${root} is that of process ${lockHolder(file)?.pid ?? '?'}, which works on the same lake`,
    {
      code: 'WAREHOUSE_HELD',
      hint: 'Give each worker of a lake a folder of its own with `warehouse:`, or end that process.',
    },
  )
}

function anewAtFirst(publication: Publication): Publication {
  let isAnew = true
  return {
    name: publication.name,
    async publish(run) {
      const report = await publication.publish({ ...run, isAnew })
      isAnew = false
      return report
    },
  }
}

/** @throws SinkError WAREHOUSE_NOT_WRITABLE */
export async function makeFolders(paths: WarehousePaths): Promise<void> {
  try {
    await makeFolder(paths.root)
    // The state has the ledger and the stage has raw answers, so both are private.
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
    throw notWritableError(paths, whys[code] ?? code, error)
  }
}

export function notWritableError(
  { root }: WarehousePaths,
  why: string,
  cause?: unknown,
): SinkError {
  return new SinkError(`the warehouse ${root} cannot be made or written (${why})`, {
    code: 'WAREHOUSE_NOT_WRITABLE',
    hint: 'Name a folder that you may write with `warehouse:` in coinlake.yaml.',
    cause,
  })
}

/** DuckDB's files are no more private than their folder. Ignores folders of other users. */
async function keepPrivate(dir: string): Promise<void> {
  const { mode } = await stat(dir)
  if ((mode & 0o077) !== 0) await chmod(dir, mode & 0o7700).catch(() => undefined)
}

/** Makes a folder and its parents. Node's own `recursive` never returns on file systems without folders, as /proc. */
async function makeFolder(dir: string, mode?: number): Promise<void> {
  try {
    await mkdir(dir, { mode })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    const above = dirname(dir)
    if (code === 'ENOENT' && !existsSync(above)) {
      await makeFolder(above, mode)
      await makeFolder(dir, mode)
    } else if (code !== 'EEXIST' || !(await stat(dir)).isDirectory()) {
      throw error
    }
  }
}
