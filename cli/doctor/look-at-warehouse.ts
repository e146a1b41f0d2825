import { accessSync, constants, existsSync, statSync } from 'node:fs'
import type { WarehousePaths } from '../../config/warehouse-paths.ts'
import { SinkError } from '../../sinks/sink-error.ts'
import { hasStore } from '../ledger/store-of.ts'
import { brokenOffRun } from '../run/begun-run.ts'
import { doubt, faultOf, fine, type Finding } from './finding.ts'
import { nearestFolder } from './look-at-disk.ts'

const ABOUT = 'warehouse'

/** Checks that the folder exists or can be made, that its state is readable. Also that the last run has ended. */
export function lookAtWarehouse(paths: WarehousePaths, worker: { pid: number } | null): Finding {
  const { root } = paths
  const isThere = existsSync(root)
  const folder = nearestFolder(root)
  const reason = whyNotWritable(folder)
  if (reason !== null) {
    const error = new SinkError(`the warehouse ${root} cannot be made or written (${reason})`, {
      code: 'WAREHOUSE_NOT_WRITABLE',
      hint: 'Name a folder that you may write with `warehouse:` in coinlake.yaml.',
    })
    return faultOf(ABOUT, error)
  }
  if (!isThere) return fine(ABOUT, `${root} is not there yet: the first run makes it`)
  try {
    hasStore(paths)
  } catch (error) {
    return faultOf(ABOUT, error)
  }
  if (worker !== null) return fine(ABOUT, `${root}, process ${worker.pid} works on it`)
  const broken = brokenOffRun(paths)
  if (broken === null) return fine(ABOUT, root)
  return doubt(ABOUT, {
    what: `run ${broken.runId} of ${root} was broken off`,
    code: 'RUN_BROKEN_OFF',
    hint: `Go on with: ${broken.goOnWith}`,
  })
}

function whyNotWritable(folder: string): string | null {
  if (!statSync(folder).isDirectory()) return `${folder} is a file, not a folder`
  try {
    accessSync(folder, constants.W_OK | constants.X_OK)
    return null
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? 'unknown'
  }
}
