import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client, Connection } from '@temporalio/client'
import { inject } from 'vitest'
import { warehouseId, type WarehousePaths } from '../../config/warehouse-paths.ts'
import { leaseServer, runningServer } from '../../engine/server/lease-server.ts'
import { exportWorkflowId, type RunProgress } from '../../workflows/messages.ts'
import { memoProgress } from '../../cli/run/open-run.ts'
import type { CliProcess } from './cli-process.ts'
import { filesUnder } from './files-under.ts'
import type { Captured } from './run-captured.ts'
import { GRACE_MS, openWarehouseFolder } from './warehouse-folder.ts'

const LOOK_EVERY_MS = 20
const PATIENCE_MS = 240_000
/** Grace, the server's own end, and a busy machine. */
const GONE_WITHIN_MS = 15_000
/** How every writer of the warehouse names what is not whole yet, and what a load has no use for. */
const UNFINISHED = /[/.]tmp|building|draft|\.arrow$/

/** A warehouse that processes fill. */
export interface Lake {
  paths: WarehousePaths
  engineDir: string
  configFile: string
  /** Runs a command line in this process. */
  run(words: readonly string[]): Promise<Captured>
  /** Starts a process. `program`: another build's `bin/coinlake.js`. */
  start(words: readonly string[], env?: Record<string, string>, program?: string): CliProcess
  /** Waits until `share` of the slices are loaded; gives the progress that said so. */
  loaded(share: number): Promise<RunProgress>
  /** Whether the server holds the run open now. Proves that a kill hit a run, not its end. */
  isRunOpen(): Promise<boolean>
  /** Leftovers beside the warehouse: processes, temp files, Arrow that is loaded. [] as it should be. */
  traces(): Promise<string[]>
  /** Ends what still runs, whatever happened, and removes the folder. */
  remove: () => Promise<void>
}

/** Parts that a test may replace. */
export interface LakeOptions {
  /** The publications. Default: both. */
  sinks?: readonly ('duckdb' | 'parquet')[]
  /** Folder of a Temporal server that somebody else stops; null = one of its own. Default: that of the test run. */
  engineDir?: string | null
}

/** Makes one; its commands run at the market's time. */
export function openLake(
  sourceUrl: string,
  datasetLines: readonly string[],
  { sinks = ['duckdb', 'parquet'], ...options }: LakeOptions = {},
): Lake {
  const { engineDir: chosen = inject('temporal').stateDir } = options
  // Benchmarks open lakes, too, and have no test that ends.
  const place = openWarehouseFolder({ engineDir: chosen, whenDone: () => undefined })
  const { dir, configFile, paths } = place
  const engineDir = chosen ?? join(dir, 'engine')
  place.configure({
    source: [`base_url: "${sourceUrl}"`, 'concurrency: 4'],
    more: [`sinks: [${sinks.join(', ')}]`],
    datasets: datasetLines,
  })
  const workflowId = exportWorkflowId(warehouseId(paths.root))
  const withClient = async <T>(work: (client: Client) => Promise<T>): Promise<T> => {
    // The server may be about to leave the process that was killed.
    const lease = await leaseServer({
      stateDir: engineDir,
      env: { ...process.env, COINLAKE_ENGINE_GRACE_MS: String(GRACE_MS) },
    })
    const connection = await Connection.connect({ address: lease.address })
    try {
      return await work(new Client({ connection, namespace: lease.namespace }))
    } finally {
      await connection.close()
      lease.release()
    }
  }
  return {
    paths,
    engineDir,
    configFile,
    run: (words) => place.run(...words, '-c', configFile),
    start: (words, env = {}, program?: string) =>
      place.start([...words, '-c', configFile], { env, ...(program !== undefined && { program }) }),
    async loaded(share) {
      const deadlineMs = Date.now() + PATIENCE_MS
      while (runningServer(engineDir) === null && Date.now() < deadlineMs)
        await sleep(LOOK_EVERY_MS)
      return withClient(async (client) => {
        while (Date.now() < deadlineMs) {
          const handle = client.workflow.getHandle(workflowId)
          const run = await handle.describe().catch(() => null)
          const progress = memoProgress(run?.memo)
          if (run?.status.name === 'COMPLETED')
            throw new Error(`the run ended before ${share} was seen`)
          if (progress !== null && progress.slicesPlanned > 0) {
            if (progress.slicesLoaded >= share * progress.slicesPlanned) return progress
          }
          await sleep(LOOK_EVERY_MS)
        }
        throw new Error(`${share} of the slices were not loaded within ${PATIENCE_MS} ms`)
      })
    },
    isRunOpen: () =>
      withClient(async (client) => {
        const { status } = await client.workflow.getHandle(workflowId).describe()
        return status.name === 'RUNNING'
      }),
    async traces() {
      const deadlineMs = Date.now() + GONE_WITHIN_MS
      while (processesNaming(dir).length > 0 && Date.now() < deadlineMs) await sleep(LOOK_EVERY_MS)
      const unfinished = filesUnder(paths.root).filter((file) => UNFINISHED.test(file))
      return [...processesNaming(dir).map((pid) => `process ${pid}`), ...unfinished]
    },
    remove: place.remove,
  }
}

/** Processes that have this folder on their command line: commands, keeper, server. */
function processesNaming(dir: string): number[] {
  if (!existsSync('/proc/self/cmdline')) return []
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(dir)
      } catch {
        return false
      }
    })
    .map(Number)
}
