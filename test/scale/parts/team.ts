import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client, Connection } from '@temporalio/client'
import { onTestFinished } from 'vitest'
import { systemClock } from '../../../config/clock.ts'
import type { LakeConfig } from '../../../config/lake.ts'
import { warehouseIdOf } from '../../../config/warehouse-paths.ts'
import { allTables, datasets } from '../../../datasets/index.ts'
import { openStore } from '../../../sinks/duckdb-store/open-store.ts'
import { exportWorkflowId } from '../../../workflows/messages.ts'
import { type CliProcess, startCli } from '../../parts/cli-process.ts'
import { NOW } from '../../parts/day-market.ts'
import { tempDir } from '../../parts/temp-dir.ts'
import { NO_ROWS, tableHashSql } from '../../parts/table-hashes.ts'

/** Requests that one worker has in flight at once, if a test does not say otherwise. */
export const TEAM_CONCURRENCY = 4

export interface TeamOptions {
  sourceUrl: string
  lake: LakeConfig
  /** The stage that all share: a folder, or `s3://bucket/prefix`. */
  stageAt: string
  datasetLines: readonly string[]
  /** More of coinlake.yaml, of all. */
  configLines?: readonly string[]
  temporal: { address: string; namespace: string }
  /** For S3. */
  env?: Record<string, string>
}

/** Parts that a process of a team may replace. */
export interface StartOptions {
  /** Requests in flight at once, of a worker in it and of a run that it begins. Default: TEAM_CONCURRENCY. */
  concurrency?: number
  env?: Record<string, string>
}

/** Where a run stands, by the Temporal server and the ledger: asks no worker. */
export interface RunStanding {
  isOpen: boolean
  /** Slices of the ledger by state. */
  slices: Record<string, number>
}

/** Workers of one lake, each in a folder of its own as on a machine of its own. They end with the test. */
export interface Team {
  /** Starts a command in the folder of a worker, made when it is new. */
  start(worker: string, words: readonly string[], options?: StartOptions): CliProcess
  /** Starts a worker and waits until it works. */
  startWorker(worker: string, options?: StartOptions): Promise<CliProcess>
  standing(): Promise<RunStanding>
  /** Rows, keys and hash of every table: see tableHashes. */
  hashes(): Promise<Record<string, string>>
}

export function makeTeam(options: TeamOptions): Team {
  const {
    sourceUrl,
    lake,
    stageAt,
    temporal,
    datasetLines,
    configLines = [],
    env: teamEnv = {},
  } = options
  const dir = tempDir()
  const started: CliProcess[] = []
  onTestFinished(async () => {
    for (const cli of started) if (cli.isRunning()) cli.kill('SIGKILL')
    await Promise.all(started.map((cli) => cli.ended))
  })
  const open = () =>
    openStore({
      file: { ...lake, tempDir: join(dir, 'tmp') },
      datasets,
      coinlakeVersion: '0.0.0',
      clock: systemClock,
    })

  function start(
    worker: string,
    words: readonly string[],
    startOptions: StartOptions = {},
  ): CliProcess {
    const { concurrency = TEAM_CONCURRENCY, env = {} } = startOptions
    const cwd = join(dir, worker)
    mkdirSync(cwd, { recursive: true })
    const config = [
      // Answers are held back for as long as a worker takes to start.
      `source: { base_url: "${sourceUrl}", concurrency: ${concurrency}, timeout: 4m }`,
      `store: { ducklake: ${JSON.stringify({ catalog: lake.catalog, data: lake.data })} }`,
      `stage: { at: ${JSON.stringify(stageAt)} }`,
      ...configLines,
      'datasets:',
      ...datasetLines.map((line) => `  ${line}`),
    ]
    writeFileSync(join(cwd, 'coinlake.yaml'), `${config.join('\n')}\n`)
    const cli = startCli(words, {
      cwd,
      env: {
        COINLAKE_NOW: NOW,
        COINLAKE_DUCKDB_EXTENSIONS: lake.extensionDir ?? '',
        TEMPORAL_ADDRESS: temporal.address,
        TEMPORAL_NAMESPACE: temporal.namespace,
        ...teamEnv,
        ...env,
      },
    })
    started.push(cli)
    return cli
  }

  return {
    start,
    async startWorker(worker, startOptions) {
      const cli = start(worker, ['worker'], startOptions)
      await cli.says('working on')
      return cli
    },
    async standing() {
      const connection = await Connection.connect({ address: temporal.address })
      const store = await open()
      try {
        const client = new Client({ connection, namespace: temporal.namespace })
        const id = exportWorkflowId(warehouseIdOf({ warehouseDir: dir, lake }))
        const { status } = await client.workflow.getHandle(id).describe()
        const rows = await store.query('SELECT state, count(*) AS n FROM _slices GROUP BY state')
        const slices = Object.fromEntries(rows.map(({ state, n }) => [String(state), Number(n)]))
        return { isOpen: status.name === 'RUNNING', slices }
      } finally {
        await store.close()
        await connection.close()
      }
    },
    async hashes() {
      const store = await open()
      try {
        const hashes: Record<string, string> = {}
        const names = new Set((await store.query('SHOW TABLES')).map((row) => row['name']))
        for (const table of allTables) {
          const isThere = names.has(table.name)
          const [row] = isThere ? await store.query(tableHashSql(table, `"${table.name}"`)) : []
          hashes[table.name] = String(row?.['hash'] ?? NO_ROWS)
        }
        return hashes
      } finally {
        await store.close()
      }
    },
  }
}
