import { existsSync, statSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import { SinkError } from '../../sinks/sink-error.ts'
import type { WarehousePaths } from '../../config/warehouse-paths.ts'
import { bytes } from '../render/quantities.ts'
import { doubt, faultOf, fine, type Finding } from './finding.ts'

const ABOUT = 'disk'
const MIB = 1024 * 1024
/** A run of one slice needs this for DuckDB's write-ahead log, staged pages and its log. */
const LEAST_FREE_BYTES = 64 * MIB
/** A publication is built beside the one that it replaces. */
const COPIES = 2

export async function lookAtDisk(paths: WarehousePaths): Promise<Finding> {
  const { bavail, bsize } = await statfs(nearestFolder(paths.root))
  const freeBytes = bavail * bsize
  const storeBytes = statSync(paths.storeFile, { throwIfNoEntry: false })?.size ?? 0
  const neededBytes = storeBytes * COPIES
  const free = `${bytes(freeBytes)} free where ${paths.root} lies`
  if (freeBytes < LEAST_FREE_BYTES) {
    const error = new SinkError(`${free}: a run cannot be written`, {
      code: 'DISK_FULL',
      hint: 'Make room, or name another folder with `warehouse:` in coinlake.yaml.',
    })
    return faultOf(ABOUT, error)
  }
  if (freeBytes < neededBytes) {
    return doubt(ABOUT, {
      what: `${free}, the store has ${bytes(storeBytes)}: a publication may not fit`,
      code: 'DISK_NEARLY_FULL',
      hint: `Make room for ${bytes(neededBytes)}, or keep fewer staged pages (stage.keep).`,
    })
  }
  return fine(ABOUT, free)
}

/** The folder, or its nearest parent that exists. */
export function nearestFolder(path: string): string {
  return existsSync(path) ? path : nearestFolder(dirname(path))
}
