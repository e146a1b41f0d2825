import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { leaseServer, type ServerLease } from '../../engine/server/lease-server.ts'
import { stopServer } from '../parts/stop-server.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** The Temporal server of this test run, and the folder that keeps it: `inject('temporal')`. */
    temporal: { address: string; namespace: string; stateDir: string }
  }
}

/** When the test run itself is killed, its server goes by itself this soon. */
const GRACE_MS = '2000'

let lease: ServerLease | undefined
let stateDir: string | undefined

/**
 * Starts one real Temporal server for all test files, in a folder of its own, whatever `TEMPORAL_*`
 * says. Without a server the tests that need one would prove nothing, so the run fails here.
 */
export async function setup(project: TestProject): Promise<void> {
  stateDir = await mkdtemp(join(tmpdir(), 'coinlake-test-temporal-'))
  lease = await leaseServer({
    stateDir,
    env: { ...process.env, COINLAKE_ENGINE_GRACE_MS: GRACE_MS },
    onProgress: (message) => process.stderr.write(`${message}\n`),
  })
  project.provide('temporal', { address: lease.address, namespace: lease.namespace, stateDir })
}

/** Stops it and leaves nothing: no process, no folder. */
export async function teardown(): Promise<void> {
  lease?.release()
  if (stateDir === undefined) return
  await stopServer(stateDir)
  await rm(stateDir, { recursive: true, force: true })
}
