import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { CallRate } from '../api/rate-headers.ts'
import { writeStateFile } from './state-file.ts'

/** Calls of one API key in one UTC month, as all who use the key know them together. */
export interface MonthCount {
  keyId: string
  monthStartsAtMs: number
  used: number
  /** Calls that backfills leave alone, as the process that wrote it knew. */
  reserve?: number
  /** The rate that the source told or that was learned, whatever the month; absent = not known. */
  rate?: CallRate
}

/** What a warehouse knows of a key's month. */
export interface KnownMonth {
  used: number
  /** As in MonthCount; null = nobody wrote it. */
  reserve: number | null
  /** As in MonthCount, also from a file of an earlier month. */
  rate: CallRate | null
}

/** `month.<key id>.json`: one file a key, since each is written by itself. */
const FILE = /^month\.[^.]+\.json$/

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
  await writeStateFile(join(stateDir, `month.${count.keyId}.json`), count, 'STATE_NOT_WRITTEN')
}

/**
 * The calls of each key in the month of `nowMs`, as far as this warehouse knows: as they are kept. The
 * ledger has no keys, so calls that are in it and in no count are taken to be spread evenly.
 *
 * @param ledgerCalls calls that the ledger of the warehouse has of this month; 0 where nobody looked.
 */
export async function knownMonthUse(
  stateDir: string,
  keyIds: readonly string[],
  ledgerCalls: number,
  nowMs: number,
): Promise<KnownMonth[]> {
  const all = await keptCounts(stateDir)
  const startsAtMs = startOfMonthMs(nowMs)
  const kept = new Map([...all].filter(([, count]) => count.monthStartsAtMs === startsAtMs))
  // Of other keys as well: what they have made is not to be counted again.
  const counted = [...kept.values()].reduce((sum, { used }) => sum + used, 0)
  const each = Math.ceil(Math.max(0, ledgerCalls - counted) / keyIds.length)
  return keyIds.map((keyId) => {
    const { used = 0, reserve = null } = kept.get(keyId) ?? {}
    return { used: used + each, reserve, rate: all.get(keyId)?.rate ?? null }
  })
}

async function keptCounts(stateDir: string): Promise<Map<string, MonthCount>> {
  const counts = new Map<string, MonthCount>()
  const names = await readdir(stateDir).catch(() => [])
  for (const name of names.filter((one) => FILE.test(one))) {
    try {
      const text = await readFile(join(stateDir, name), 'utf8')
      const count = JSON.parse(text) as MonthCount
      const isWhole = typeof count.keyId === 'string' && Number.isSafeInteger(count.used)
      if (isWhole) counts.set(count.keyId, count)
    } catch {
      // What cannot be read is no count: the ledger knows.
    }
  }
  return counts
}
