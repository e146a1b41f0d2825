import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { RunReport } from '../activities/run-report.ts'
import { livingWorker } from '../cli/run/worker-claim.ts'
import { leaseServer } from '../engine/server/lease-server.ts'
import { stopServer } from '../test/parts/stop-server.ts'
import { measureTree } from './machine/measure.ts'
import { peerRun, type PeerWork, type PeerRun } from './compare/peer.ts'
import { BIN, ownEngineEnv, writeBenchConfig } from './own-engine.ts'

/**
 * A run of coinlake, with the time of its publication. `root` is the process that fetches and loads. `descendants` are the
 * Temporal server, its keeper, and the commands that start it.
 */
export interface CoinlakeRun extends PeerRun {
  publishS: number
}

export interface CoinlakeRunOptions {
  /** Started before the measurement: a server, or also a worker that has made `callBefore`. Default: nothing. */
  startedBefore?: 'server' | 'worker' | undefined
  /** Gets the pid of the process that fetches and loads, once it runs. */
  onWorker?: ((pid: number) => void) | undefined
}

/** A server or worker that has just begun is still busy beginning. Those of users have run for long. */
const SETTLED_AFTER_MS = 3_000

/**
 * Runs `coinlake backfill` as a user does: one process with all workers, a Temporal server in a new folder, store and
 * DuckDB publication. Only the server binary and the workflows' bundle come from the user's cache.
 */
export async function runCoinlake(
  { service, workload, size, dir, isAgain }: PeerWork,
  { startedBefore, onWorker }: CoinlakeRunOptions = {},
): Promise<CoinlakeRun> {
  if (isAgain !== true) rmSync(dir, { recursive: true, force: true })
  mkdirSync(dir, { recursive: true })
  const config = writeBenchConfig(dir, {
    baseUrl: workload.baseUrl(service.url, size),
    datasets: workload.datasets(size),
  })
  const engineDir = join(dir, 'engine')
  const env = ownEngineEnv(engineDir)
  const lease = startedBefore !== undefined ? await leaseServer({ stateDir: engineDir, env }) : null
  const worker =
    startedBefore === 'worker'
      ? spawn(process.execPath, [BIN, 'worker', '-c', config], { cwd: dir, env, stdio: 'ignore' })
      : null
  try {
    if (worker !== null) {
      while (livingWorker(join(dir, 'warehouse')) === null) await sleep(50)
    }
    if (startedBefore !== undefined) await sleep(SETTLED_AFTER_MS)
    const words = [BIN, 'backfill', '-c', config, '--json']
    if (worker !== null) {
      await promisify(execFile)(process.execPath, [...words, ...workload.callBefore], { env })
      await service.takeTimes()
      await sleep(SETTLED_AFTER_MS)
    }
    const measured = await measureTree(process.execPath, words, {
      cwd: dir,
      env,
      onStart: onWorker,
    })
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
    if (worker?.kill('SIGINT') === true) await once(worker, 'exit')
    lease?.release()
    await stopServer(engineDir)
  }
}
