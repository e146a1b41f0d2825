import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { RunReport } from '../activities/activity-types.ts'
import { leaseServer, stopServer } from '../engine/lease-server.ts'
import type { BenchService } from './bench-service.ts'
import { FIRST_POINT_MS, HOUR_MS, POINTS_PER_CALL } from './chart-bodies.ts'
import { measureTree } from './measure.ts'
import { peerRun } from './peer-run.ts'
import type { PeerRun } from './peer-run.ts'

/** A run of coinlake, with the part of it that made the publication. */
export interface CoinlakeRun extends PeerRun {
  publishS: number
}

/** The process that fetches and loads. */
export const WORKER = 'worker'
/** The Temporal server, its supervisor, and the commands that bring it up. */
export const TEMPORAL = 'temporal'

/**
 * `coinlake backfill` as a user runs it: one process with all workers, its own Temporal server in a
 * new folder, the store and the DuckDB publication. Only the download of the server and the bundle of
 * the workflows come from the user's cache.
 *
 * @param isServerUp the server has been started before, and is not measured
 */
export async function runCoinlake(
  service: BenchService,
  coins: number,
  folder: string,
  isServerUp = false,
): Promise<CoinlakeRun> {
  const home = join(folder, 'coinlake')
  rmSync(home, { recursive: true, force: true })
  mkdirSync(home, { recursive: true })
  const config = join(home, 'coinlake.yaml')
  writeFileSync(config, configOf(service.url, coins))
  const engineDir = join(home, 'engine')
  const env = {
    ...process.env,
    COINLAKE_API_KEY: 'bench',
    COINLAKE_ENGINE_DIR: engineDir,
    COINLAKE_ENGINE_ISOLATED: '1',
  }
  const bin = fileURLToPath(new URL('../bin/coinlake.js', import.meta.url))
  const lease = isServerUp ? await leaseServer({ stateDir: engineDir, env }) : null
  try {
    const measured = await measureTree(
      process.execPath,
      [bin, 'backfill', '-c', config, '--json'],
      { cwd: home, env, groupOf: (isRoot) => (isRoot ? WORKER : TEMPORAL) },
    )
    if (measured.exitCode !== 0) {
      throw new Error(`coinlake ended with ${measured.exitCode}: ${measured.stderr}`)
    }
    const report = JSON.parse(measured.stdout) as RunReport
    const publishMs = report.publications.reduce((sum, { durationMs }) => sum + durationMs, 0)
    return {
      ...peerRun(measured, await service.takeTimes(), report.rows),
      publishS: publishMs / 1000,
    }
  } finally {
    lease?.release()
    await stopServer(engineDir)
  }
}

function configOf(serviceUrl: string, coins: number): string {
  const ids = Array.from({ length: coins }, (_, number) => `coin-${number}`)
  // [from, to): the last of the 2,161 points belongs to the next slice, so one row less is stored.
  const to = new Date(FIRST_POINT_MS + (POINTS_PER_CALL - 1) * HOUR_MS).toISOString()
  return `source: { base_url: "${serviceUrl}", api_key: "\${COINLAKE_API_KEY}" }
warehouse: ./warehouse
sinks: [duckdb]
datasets:
  market_chart:
    granularity: hourly
    from: ${new Date(FIRST_POINT_MS).toISOString().slice(0, 10)}
    to: ${to.slice(0, 10)}
    coins: [${ids.join(', ')}]
`
}
