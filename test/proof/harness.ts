import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inject, onTestFinished } from 'vitest'
import type { RunReport } from '../../activities/activity-types.ts'
import { operations } from '../../api/operations.ts'
import { createRenderer } from '../../cli/render/create-renderer.ts'
import { planExport } from '../../cli/run/plan-export.ts'
import type { PlannedExport } from '../../cli/run/plan-export.ts'
import { runExport } from '../../cli/run/run-export.ts'
import type { Clock } from '../../config/clock.ts'
import type { Config } from '../../config/config.ts'
import { loadConfig } from '../../config/load-config.ts'
import type { Profile } from '../../config/profiles.ts'
import { warehousePaths } from '../../config/warehouse-paths.ts'
import type { WarehousePaths } from '../../config/warehouse-paths.ts'
import { datasets } from '../../datasets/index.ts'
import type { AnswerSource } from '../../service/answer-source.ts'
import { createService } from '../../service/app.ts'
import type { RequestEntry } from '../../service/request-log.ts'
import { startService } from '../../service/serve-http.ts'
import { runCaptured } from '../cli/run-captured.ts'
import { silentEffects } from '../cli/silent-effects.ts'
import type { Captured } from '../cli/run-captured.ts'

/** An export takes one to two seconds, on a machine that is busy with others ten: nothing here waits by itself. */
export const PROOF_TIMEOUT_MS = 300_000

/** A clock that a test sets, shared by what serves and what exports. */
export interface MovableClock extends Clock {
  set(nowMs: number): void
}

export function movableClock(nowMs: number): MovableClock {
  let atMs = nowMs
  return {
    nowMs: () => atMs,
    set: (next) => {
      atMs = next
    },
  }
}

/** A source that is served over a real socket, with what was asked of it. */
export interface Served {
  url: string
  /** Every request since the start, in the order of the answers. */
  log: readonly RequestEntry[]
}

/** Serves a source on a free port until the test ends, by default as the interface says. */
export async function serve(source: AnswerSource, profile?: Profile): Promise<Served> {
  const log: RequestEntry[] = []
  const service = createService({
    source,
    ...(profile === undefined ? {} : { profile }),
    operations: Object.values(operations),
    keys: null,
    quota: null,
    log: (entry) => log.push(entry),
  })
  const server = await startService(service, { port: 0 })
  onTestFinished(async () => {
    await server.close()
    await source.close()
  })
  return { url: server.url, log }
}

/** A folder that is gone when the test ends. */
export function tempDir(): string {
  const dir = mkdtempSync(join(tmpdir(), 'coinlake-proof-'))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  return dir
}

/** What one export did, and what the service says it was asked meanwhile. */
export interface Exported {
  report: RunReport
  requests: RequestEntry[]
}

/** A warehouse in a folder of its own, filled from a served source by the very code of `coinlake backfill`. */
export interface Warehouse {
  paths: WarehousePaths
  /** Exports the datasets, given as lines of YAML without indentation. */
  export(datasetLines: readonly string[]): Promise<Exported>
  /** Runs a command line with the configuration of the last export or plan, as a person would. */
  run(...argv: string[]): Promise<Captured>
  /** What `coinlake plan` would say. */
  plan(datasetLines: readonly string[]): Promise<PlannedExport>
}

/** A warehouse that has no file yet. */
export function openWarehouse(served: Served, clock: Clock): Warehouse {
  const dir = tempDir()
  const temporal = inject('temporal')
  const env = {
    HOME: process.env['HOME'],
    XDG_CACHE_HOME: process.env['XDG_CACHE_HOME'],
    TEMPORAL_ADDRESS: temporal.address,
    TEMPORAL_NAMESPACE: temporal.namespace,
  }
  const effects = silentEffects({ env, cwd: dir, clock })
  const configOf = (datasetLines: readonly string[]): Config => {
    const file = join(dir, 'coinlake.yaml')
    writeFileSync(
      file,
      [
        `source: { base_url: "${served.url}", api_key: "\${COINLAKE_API_KEY}" }`,
        'warehouse: ./warehouse',
        'datasets:',
        ...datasetLines.map((line) => `  ${line}`),
      ].join('\n'),
    )
    const withKey = { ...env, COINLAKE_API_KEY: 'proof-key' }
    return loadConfig({ file, env: withKey, datasets, cwd: dir })
  }
  return {
    paths: warehousePaths(join(dir, 'warehouse')),
    run: (...argv) =>
      runCaptured(argv, { env: { ...env, COINLAKE_API_KEY: 'proof-key' }, cwd: dir, clock }),
    plan: (datasetLines) => planExport(effects, configOf(datasetLines)),
    export: async (datasetLines) => {
      const before = served.log.length
      const config = configOf(datasetLines)
      const renderer = createRenderer(effects, { json: true })
      const never = new AbortController().signal
      const report = await runExport(
        effects,
        { config, kind: 'backfill', goOnWith: '' },
        renderer,
        never,
      )
      return { report, requests: served.log.slice(before) }
    },
  }
}
