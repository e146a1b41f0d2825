import { setTimeout as sleep } from 'node:timers/promises'
import { SinkError } from '../../sinks/sink-error.ts'
import type { OpenWarehouse } from './open-warehouse.ts'
import { livingWorker, type LivingWorker } from './worker-claim.ts'

/** Longest wait for the claim of a process that has taken the store. Usually it takes one or two seconds. */
export const CLAIM_WAIT_MS = 10_000
const LOOK_EVERY_MS = 100

/** A warehouse that was opened here, or the process that works on it. */
type TakenWarehouse =
  | { warehouse: OpenWarehouse; other: null }
  | { warehouse: null; other: LivingWorker }

/**
 * Opens a warehouse, unless another process works on it. A process that holds the store without a claim gets some
 * time, because two runs may begin at once.
 *
 * @param open throws SinkError STORE_LOCKED or WAREHOUSE_HELD while another process holds the warehouse
 * @throws errors of `open`; the signal's reason when it is aborted
 */
export async function takeWarehouse(
  warehouseDir: string,
  open: () => Promise<OpenWarehouse>,
  signal: AbortSignal,
  claimWaitMs = CLAIM_WAIT_MS,
): Promise<TakenWarehouse> {
  let refusedAtMs: number | null = null
  for (;;) {
    const other = livingWorker(warehouseDir)
    if (other !== null) return { warehouse: null, other }
    if (refusedAtMs !== null) await sleep(LOOK_EVERY_MS)
    signal.throwIfAborted()
    try {
      return { warehouse: await open(), other: null }
    } catch (error) {
      if (!isHeld(error)) throw error
      refusedAtMs ??= performance.now()
      const isOver = performance.now() - refusedAtMs > claimWaitMs
      if (isOver && livingWorker(warehouseDir) === null) throw error
    }
  }
}

/** The store's file, or the folder of a lake's worker. */
function isHeld(error: unknown): boolean {
  return (
    error instanceof SinkError && (error.code === 'STORE_LOCKED' || error.code === 'WAREHOUSE_HELD')
  )
}
