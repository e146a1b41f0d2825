import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client, Connection } from '@temporalio/client'
import { systemClock } from '../../../config/clock.ts'
import type { LakeConfig } from '../../../config/lake.ts'
import { warehouseIdOf } from '../../../config/warehouse-paths.ts'
import { datasets } from '../../../datasets/index.ts'
import { openStore } from '../../../sinks/duckdb-store/open-store.ts'
import type { DuckdbStore } from '../../../sinks/duckdb-store/open-store.ts'
import { exportWorkflowId, progressQuery } from '../../../workflows/messages.ts'
import { startCli } from '../../resume/cli-process.ts'
import type { CliProcess } from '../../resume/cli-process.ts'
import { NOW } from '../../resume/market-service.ts'
import { tableHashSql } from '../../resume/table-hashes.ts'

const LOOK_EVERY_MS = 50
const PATIENCE_MS = 600_000

export interface TeamOptions {
  sourceUrl: string
  lake: LakeConfig
  /** The stage that all share: a folder, or `s3://bucket/prefix`. */
  stageAt: string
  datasetLines: readonly string[]
  temporal: { address: string; namespace: string }
  /** For S3. */
  env?: Record<string, string>
}

/** Workers of one lake, each in a folder of its own as on a machine of its own. */
export interface Team {
  /** Starts a command in the folder of a worker, made when it is new. */
  start(worker: string, words: readonly string[], env?: Record<string, string>): CliProcess
  /** Starts a worker and waits until it works. */
  startWorker(worker: string, env?: Record<string, string>): Promise<CliProcess>
  /** Waits until this share of the run's slices is loaded. */
  loaded(share: number): Promise<void>
  /** The store as it is now; the caller closes it. */
  openStore(): Promise<DuckdbStore>
  /** Rows, keys and hash of every table: see tableHashes. */
  hashes(): Promise<Record<string, string>>
  remove(): Promise<void>
}

export function makeTeam(options: TeamOptions): Team {
  const { lake, stageAt, temporal } = options
  const dir = mkdtempSync(join(tmpdir(), 'coinlake-scale-team-'))
  const started: CliProcess[] = []
  const open = () =>
    openStore({
      file: { ...lake, tempDir: join(dir, 'tmp') },
      tables: datasets.flatMap((dataset) => dataset.tables),
      datasets,
      coinlakeVersion: '0.0.0',
      clock: systemClock,
    })

  function start(worker: string, words: readonly string[], env = {}): CliProcess {
    const cwd = join(dir, worker)
    mkdirSync(cwd, { recursive: true })
    const config = [
      `source: { base_url: "${options.sourceUrl}", concurrency: 4 }`,
      `store: { ducklake: ${JSON.stringify({ catalog: lake.catalog, data: lake.data })} }`,
      `stage: { at: ${JSON.stringify(stageAt)} }`,
      'datasets:',
      ...options.datasetLines.map((line) => `  ${line}`),
    ]
    writeFileSync(join(cwd, 'coinlake.yaml'), `${config.join('\n')}\n`)
    const cli = startCli(words, {
      cwd,
      env: {
        COINLAKE_NOW: NOW,
        COINLAKE_DUCKDB_EXTENSIONS: lake.extensionDir ?? '',
        TEMPORAL_ADDRESS: temporal.address,
        TEMPORAL_NAMESPACE: temporal.namespace,
        ...options.env,
        ...env,
      },
    })
    started.push(cli)
    return cli
  }

  return {
    start,
    async startWorker(worker, env) {
      const cli = start(worker, ['worker'], env)
      await cli.says('working on')
      return cli
    },
    async loaded(share) {
      const deadlineMs = Date.now() + PATIENCE_MS
      const connection = await Connection.connect({ address: temporal.address })
      try {
        const client = new Client({ connection, namespace: temporal.namespace })
        const id = exportWorkflowId(warehouseIdOf({ warehouseDir: dir, lake }))
        while (Date.now() < deadlineMs) {
          const progress = await client.workflow
            .getHandle(id)
            .query(progressQuery)
            .catch(() => null)
          const planned = progress?.slicesPlanned ?? 0
          if (planned > 0 && (progress?.slicesLoaded ?? 0) >= share * planned) return
          await sleep(LOOK_EVERY_MS)
        }
      } finally {
        await connection.close()
      }
      throw new Error(`${share} of the slices were not loaded within ${PATIENCE_MS} ms`)
    },
    openStore: open,
    async hashes() {
      const store = await open()
      try {
        const hashes: Record<string, string> = {}
        for (const table of datasets.flatMap((dataset) => dataset.tables)) {
          const [row] = await store.query(tableHashSql(table, `"${table.name}"`))
          hashes[table.name] = String(row?.['hash'])
        }
        return hashes
      } finally {
        await store.close()
      }
    },
    async remove() {
      for (const cli of started) if (cli.isRunning()) cli.kill('SIGKILL')
      await Promise.all(started.map((cli) => cli.ended))
      rmSync(dir, { recursive: true, force: true })
    },
  }
}
