import { accessSync, constants, existsSync, statSync } from 'node:fs'
import type { WarehousePaths } from '../../config/warehouse-paths.ts'
import { SinkError } from '../../sinks/sink-error.ts'
import { freeBytesAt, nearestFolder } from '../../stage/room.ts'
import { hasStore } from '../ledger/store-of.ts'
import { bytes, freeText } from '../render/quantities.ts'
import { brokenOffRun } from '../run/begun-run.ts'
import { notWritableError } from '../run/open-warehouse.ts'
import { doubt, fine, type CheckResult } from './finding.ts'

const MIB = 1024 * 1024
/** A run of one slice needs this for DuckDB's write-ahead log, staged pages and its log. */
const LEAST_FREE_BYTES = 64 * MIB
/** Free room by size of the store: a publication copies the store, and the next loads let it grow. */
const ROOM_BY_STORE = 2

/** Checks that the folder can be made or written, that its state is readable, and that the last run has ended. */
export function lookAtFolder(paths: WarehousePaths, worker: { pid: number } | null): CheckResult {
  const { root } = paths
  const reason = whyNotWritable(nearestFolder(root))
  if (reason !== null) throw notWritableError(paths, reason)
  if (!existsSync(root)) return fine(`${root} is not there yet: the first run makes it`)
  // Throws where the state cannot be read.
  hasStore(paths)
  if (worker !== null) return fine(`${root}, process ${worker.pid} works on it`)
  const broken = brokenOffRun(paths)
  if (broken === null) return fine(root)
  return doubt({
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

export function lookAtDisk(paths: WarehousePaths): CheckResult {
  const freeBytes = freeBytesAt(paths.root)
  const free = `${freeText(freeBytes)} where ${paths.root} lies`
  if (freeBytes === null) return fine(free)
  const storeBytes = statSync(paths.storeFile, { throwIfNoEntry: false })?.size ?? 0
  const neededBytes = storeBytes * ROOM_BY_STORE
  if (freeBytes < LEAST_FREE_BYTES) {
    throw new SinkError(`${free}: a run cannot be written`, {
      code: 'DISK_FULL',
      hint: 'Make room, or name another folder with `warehouse:` in coinlake.yaml.',
    })
  }
  if (freeBytes < neededBytes) {
    return doubt({
      what: `${free}, the store has ${bytes(storeBytes)}: a publication may not fit`,
      code: 'DISK_NEARLY_FULL',
      hint: `Make room for ${bytes(neededBytes)}, or keep fewer staged pages (stage.keep).`,
    })
  }
  return fine(free)
}
