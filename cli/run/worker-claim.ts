import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { warehousePaths } from '../../config/warehouse-paths.ts'

interface Claim {
  pid: number
  orders: 'worker' | 'backfill'
}

/**
 * Says in the warehouse that this process has its workers, so that another command knows that a run
 * it starts will be worked on. Only a hint: the lock that counts is the store's.
 */
export function claimWarehouse(warehouseDir: string, orders: Claim['orders']): () => void {
  const { stateDir } = warehousePaths(warehouseDir)
  const file = join(stateDir, 'worker.json')
  mkdirSync(stateDir, { recursive: true, mode: 0o700 })
  writeFileSync(file, JSON.stringify({ pid: process.pid, orders } satisfies Claim), { mode: 0o600 })
  return () => {
    if (readClaim(file)?.pid === process.pid) rmSync(file, { force: true })
  }
}

/** The process that has workers for this warehouse, other than this one; null when none is alive. */
export function livingWorker(warehouseDir: string): { pid: number } | null {
  const claim = readClaim(join(warehousePaths(warehouseDir).stateDir, 'worker.json'))
  if (claim === null || claim.pid === process.pid || !isAlive(claim.pid)) return null
  return { pid: claim.pid }
}

function readClaim(file: string): Claim | null {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Claim
  } catch {
    return null
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
