import { join } from 'node:path'
import type { WarehousePaths } from '../../config/warehouse-paths.ts'
import { lockHolder, releaseLock, takeLock } from '../../engine/pid-lock.ts'
import { WarehouseBusyError } from '../../sinks/sink-error.ts'

/**
 * Takes the folder of a warehouse for this process, because state and publications belong to one worker. A store in
 * the folder has its own lock; a lake has none, so each of its workers needs this.
 *
 * @returns releases the folder
 * @throws WarehouseBusyError WAREHOUSE_HELD
 */
export function holdFolder({ root, stateDir }: WarehousePaths): () => void {
  const file = join(stateDir, 'warehouse.lock')
  if (takeLock(file)) return () => releaseLock(file)
  throw new WarehouseBusyError(
    `the folder ${root} is that of process ${lockHolder(file)?.pid ?? '?'}, which works on the same lake`,
    {
      code: 'WAREHOUSE_HELD',
      hint: 'Give each worker of a lake a folder of its own with `warehouse:`, or end that process.',
    },
  )
}
