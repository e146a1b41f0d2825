import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { writeStateFile } from '../../activities/state-file.ts'
import { warehousePaths } from '../../config/warehouse-paths.ts'
import { isAlive, ownIdentity } from '../../engine/process-identity.ts'
import type { ProcessIdentity } from '../../engine/process-identity.ts'

interface Claim extends ProcessIdentity {
  orders: 'worker' | 'backfill'
  /** The workflow code it has: it stands in the names of its queues. */
  workflowsId: string
  /** Of coinlake; absent in claims of versions before this one. */
  version?: string
  /** Of the keys that it makes calls with; absent in claims of versions before this one. */
  keyIds?: readonly string[]
}

/** A process that has workers for a warehouse. */
export type LivingWorker = Pick<Claim, 'pid' | 'workflowsId' | 'version' | 'keyIds'>

/**
 * Says in the warehouse that this process has its workers, so that another command knows that a run
 * it starts will be worked on. Only a hint: the lock that counts is the store's.
 *
 * @throws SinkError STATE_NOT_WRITTEN
 */
export async function claimWarehouse(
  warehouseDir: string,
  facts: Required<Omit<Claim, keyof ProcessIdentity>>,
): Promise<() => void> {
  const file = join(warehousePaths(warehouseDir).stateDir, 'worker.json')
  const claim: Claim = { ...ownIdentity(), ...facts }
  await writeStateFile(file, claim, 'STATE_NOT_WRITTEN')
  return () => {
    if (readClaim(file)?.pid === process.pid) rmSync(file, { force: true })
  }
}

/** The process that has workers for this warehouse, other than this one; null when none is alive. */
export function livingWorker(warehouseDir: string): LivingWorker | null {
  const claim = readClaim(join(warehousePaths(warehouseDir).stateDir, 'worker.json'))
  if (claim === null || claim.pid === process.pid || !isAlive(claim)) return null
  return claim
}

function readClaim(file: string): Claim | null {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Claim
  } catch {
    return null
  }
}
