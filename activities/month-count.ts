import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { writeStateFile } from './state-file.ts'

/** Calls of one API key in one UTC month, as all who use the key know them together. */
export interface MonthCount {
  keyId: string
  monthStartsAtMs: number
  used: number
}

const FILE = 'month.json'

/** First moment of the UTC month. */
export function startOfMonthMs(nowMs: number): number {
  const now = new Date(nowMs)
  return Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1)
}

/**
 * Keeps the count beside the warehouse, where it outlives Temporal's database.
 *
 * @throws SinkError STATE_NOT_WRITTEN
 */
export async function writeMonthCount(stateDir: string, count: MonthCount): Promise<void> {
  await writeStateFile(join(stateDir, FILE), count, 'STATE_NOT_WRITTEN')
}

/** The count of this key in the month of `nowMs`, 0 when none is kept: of another month or key it is none. */
export async function readMonthCount(
  stateDir: string,
  keyId: string,
  nowMs: number,
): Promise<number> {
  try {
    const kept = JSON.parse(await readFile(join(stateDir, FILE), 'utf8')) as Partial<MonthCount>
    const isSame = kept.keyId === keyId && kept.monthStartsAtMs === startOfMonthMs(nowMs)
    return isSame && Number.isSafeInteger(kept.used) ? (kept.used ?? 0) : 0
  } catch {
    return 0
  }
}
