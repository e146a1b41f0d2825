import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inject, onTestFinished } from 'vitest'
import { type Clock, frozenClock } from '../../config/clock.ts'
import { stopServer } from './stop-server.ts'
import { warehousePaths, type WarehousePaths } from '../../config/warehouse-paths.ts'
import { cacheEnv, type CliProcess, type ProcessOptions, startCli } from './cli-process.ts'
import { NOW_MS } from './day-market.ts'
import { type Captured, runCaptured } from './run-captured.ts'

/** A folder with a coinlake.yaml, in which commands run. */
export interface WarehouseFolder {
  dir: string
  configFile: string
  /** Of `./warehouse`. */
  paths: WarehousePaths
  /** Environment of its commands. */
  env: Readonly<Record<string, string>>
  /** Writes coinlake.yaml. */
  configure: (settings: FolderSettings) => void
  /** Runs a command line in this process. */
  run: (...words: string[]) => Promise<Captured>
  /** Starts a command line as a process of its own. */
  start(words: readonly string[], options?: StartOptions): CliProcess
  /** Kills what still runs in it and removes it. */
  remove: () => Promise<void>
}

/** Parts of a coinlake.yaml. */
export interface FolderSettings {
  /** Keys of `source`, such as `base_url: "http://127.0.0.1:8400"`. */
  source: readonly string[]
  /** A dataset each. */
  datasets: readonly string[]
  /** Default `./warehouse`. */
  warehouse?: string
  /** Further sections, a line each. */
  more?: readonly string[]
}

export type StartOptions = Partial<Omit<ProcessOptions, 'cwd'>>

export interface FolderOptions {
  /** The commands' present. Default: that of the day market. */
  clock?: Clock
  /** More environment. */
  env?: Readonly<Record<string, string>>
  /** Takes the end of the folder. Default: it goes after the test. */
  whenDone?: (remove: () => Promise<void>) => void
  /**
   * Folder of the Temporal server that the commands keep among themselves; null = one in the folder.
   * Default: they are told of the test run's server as of a cluster.
   */
  engineDir?: string | null
}

/** A server without work goes this soon, so that a test need not wait for it. */
export const GRACE_MS = 400
/** A killed worker is missed this soon: by default the next one waits for 10 s after each kill. */
const LOST_AFTER_MS = 3_000

/** Makes one. */
export function openWarehouseFolder(options: FolderOptions = {}): WarehouseFolder {
  const { clock = frozenClock(NOW_MS), whenDone = onTestFinished } = options
  const dir = mkdtempSync(join(tmpdir(), 'coinlake-test-'))
  const ownDir = join(dir, 'engine')
  const engineDir = options.engineDir === null ? ownDir : options.engineDir
  const configFile = join(dir, 'coinlake.yaml')
  const env = {
    ...(engineDir === undefined ? clusterEnv() : ownServerEnv(engineDir)),
    COINLAKE_ENGINE_LOST_AFTER_MS: String(LOST_AFTER_MS),
    ...options.env,
  }
  const started: CliProcess[] = []
  const remove = async (): Promise<void> => {
    for (const cli of started) if (cli.isRunning()) cli.kill('SIGKILL')
    await Promise.all(started.map((cli) => cli.ended))
    if (engineDir === ownDir) await stopServer(ownDir)
    rmSync(dir, { recursive: true, force: true })
  }
  whenDone(remove)
  return {
    dir,
    configFile,
    env,
    paths: warehousePaths(join(dir, 'warehouse')),
    configure: (settings) => writeFileSync(configFile, yamlOf(settings)),
    run: (...words) => runCaptured(words, { env: { ...cacheEnv(), ...env }, cwd: dir, clock }),
    start(words, { env: more, ...how } = {}) {
      const COINLAKE_NOW = new Date(clock.nowMs()).toISOString()
      const cli = startCli(words, { ...how, cwd: dir, env: { COINLAKE_NOW, ...env, ...more } })
      started.push(cli)
      return cli
    },
    remove,
  }
}

function yamlOf({
  source,
  datasets,
  warehouse = './warehouse',
  more = [],
}: FolderSettings): string {
  const lines = [
    `source: { ${source.join(', ')} }`,
    `warehouse: ${warehouse}`,
    ...more,
    'datasets:',
    ...datasets.map((line) => `  ${line}`),
  ]
  return `${lines.join('\n')}\n`
}

function clusterEnv(): Record<string, string> {
  const { address, namespace } = inject('temporal')
  return { TEMPORAL_ADDRESS: address, TEMPORAL_NAMESPACE: namespace }
}

function ownServerEnv(engineDir: string): Record<string, string> {
  return {
    COINLAKE_ENGINE_DIR: engineDir,
    COINLAKE_ENGINE_ISOLATED: '1',
    COINLAKE_ENGINE_GRACE_MS: String(GRACE_MS),
  }
}
