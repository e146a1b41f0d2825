import { setTimeout as sleep } from 'node:timers/promises'
import { SinkError } from '../../sinks/sink-error.ts'
import type { OpenWarehouse } from './open-warehouse.ts'
import { livingWorker } from './worker-claim.ts'
import type { LivingWorker } from './worker-claim.ts'

/**
 * Between taking the store and saying so lie some tenths of a second, and as much between giving the word
 * back and the store; on a busy machine a few seconds.
 */
const IN_BETWEEN_MS = 5_000
const LOOK_EVERY_MS = 100

/** A warehouse as a run finds it: opened here, or another process has its workers. */
export type TakenWarehouse =
  | { warehouse: OpenWarehouse; other: null }
  | { warehouse: null; other: LivingWorker }

/**
 * Opens a warehouse, unless another process works on it. One that holds the store and has not said yet
 * that it works there, or does not say so any more, is given a moment: two runs may begin at once.
 *
 * @param open throws SinkError STORE_LOCKED while another process has it
 * @throws what `open` throws; the signal's reason when it is aborted
 */
export async function takeWarehouse(
  warehouseDir: string,
  open: () => Promise<OpenWarehouse>,
  signal: AbortSignal,
): Promise<TakenWarehouse> {
  const deadlineMs = performance.now() + IN_BETWEEN_MS
  for (;;) {
    const other = livingWorker(warehouseDir)
    if (other !== null) return { warehouse: null, other }
    try {
      return { warehouse: await open(), other: null }
    } catch (error) {
      const isHeld = error instanceof SinkError && error.code === 'STORE_LOCKED'
      if (!isHeld || performance.now() > deadlineMs) throw error
    }
    await sleep(LOOK_EVERY_MS)
    signal.throwIfAborted()
  }
}
