import { setTimeout as sleep } from 'node:timers/promises'
import { SinkError } from '../../sinks/sink-error.ts'
import type { OpenWarehouse } from './open-warehouse.ts'
import { livingWorker } from './worker-claim.ts'
import type { LivingWorker } from './worker-claim.ts'

/**
 * Between taking the store and saying so a process lays it out, starts its workers and begins its run: a second or
 * two, and on a busy machine some more.
 */
export const IN_BETWEEN_MS = 10_000
const LOOK_EVERY_MS = 100

/** A warehouse as a run finds it: opened here, or another process has its workers. */
export type TakenWarehouse =
  | { warehouse: OpenWarehouse; other: null }
  | { warehouse: null; other: LivingWorker }

/**
 * Opens a warehouse, unless another process works on it. One that holds the store and has not said yet
 * that it works there, or does not say so any more, is given a moment: two runs may begin at once.
 *
 * @param open throws SinkError STORE_LOCKED or WAREHOUSE_HELD while another process has it
 * @throws what `open` throws; the signal's reason when it is aborted
 */
export async function takeWarehouse(
  warehouseDir: string,
  open: () => Promise<OpenWarehouse>,
  signal: AbortSignal,
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
      const isOver = performance.now() - refusedAtMs > IN_BETWEEN_MS
      if (isOver && livingWorker(warehouseDir) === null) throw error
    }
  }
}

/** A store in a file, or the folder of a worker of a lake. */
function isHeld(error: unknown): boolean {
  return (
    error instanceof SinkError && (error.code === 'STORE_LOCKED' || error.code === 'WAREHOUSE_HELD')
  )
}
