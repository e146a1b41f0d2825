import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { readStateFile, writeStateFile } from '../../activities/state-file.ts'
import type { Config } from '../../config/config.ts'
import { warehousePaths } from '../../config/warehouse-paths.ts'
import { isAlive, ownIdentity, type ProcessIdentity } from '../../engine/process-identity.ts'
import { workflowsId } from '../../engine/workflow-bundle.ts'
import { coinlakeVersion } from '../version.ts'
import { sourceKeyIds } from './source-keys.ts'

interface Claim extends ProcessIdentity {
  /** Its workflow code, which names its queues. */
  workflowsId: string
  /** The version of coinlake; absent: an early build. */
  version?: string
  /** Ids of the keys of its calls; absent: an early build, so it may use every key. */
  keyIds?: readonly string[]
}

/** A living process with workers for a warehouse. */
export type LivingWorker = Pick<Claim, 'pid' | 'workflowsId' | 'version' | 'keyIds'>

/**
 * Notes in the warehouse that this process has its workers, so that other commands hand their runs over. The note is
 * only a hint; the store's lock decides.
 *
 * @returns removes the note
 * @throws SinkError STATE_NOT_WRITTEN
 */
export async function claimWarehouse(config: Config): Promise<() => void> {
  const file = claimFile(config.warehouseDir)
  const claim: Claim = {
    ...ownIdentity(),
    workflowsId: workflowsId(),
    version: coinlakeVersion,
    keyIds: sourceKeyIds(config),
  }
  await writeStateFile(file, claim, 'STATE_NOT_WRITTEN')
  return () => {
    if (readClaim(file)?.pid === process.pid) rmSync(file, { force: true })
  }
}

/** Another living process with workers for this warehouse; null = none. */
export function livingWorker(warehouseDir: string): LivingWorker | null {
  const claim = readClaim(claimFile(warehouseDir))
  if (claim === null || claim.pid === process.pid || !isAlive(claim)) return null
  return claim
}

/** The pid of a process that died with workers for this warehouse; null = none, or it was stopped on purpose. */
export function killedWorker(warehouseDir: string): number | null {
  const claim = readClaim(claimFile(warehouseDir))
  return claim === null || isAlive(claim) ? null : claim.pid
}

function claimFile(warehouseDir: string): string {
  return join(warehousePaths(warehouseDir).stateDir, 'worker.json')
}

function readClaim(file: string): Claim | null {
  return readStateFile(file) as Claim | null
}
