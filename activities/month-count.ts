import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { startOfMonthMs } from '../api/month-gate.ts'
import type { CallRate } from '../api/rate-headers.ts'
import { readStateFile, writeStateFile } from './state-file.ts'

/** Calls of one API key in one UTC month, by all its processes. */
export interface MonthCount {
  keyId: string
  monthStartsAtMs: number
  used: number
  /** Calls that backfills must leave unused, in the configuration of the writing process; absent or null = unknown. */
  reserve?: number | null
  /** The rate that the source announced or a run learned; absent or null = unknown. */
  rate?: CallRate | null
}

/** A key's month as this warehouse knows it; null = unknown. The rate is from any month. */
type KnownMonth = Required<Pick<MonthCount, 'used' | 'reserve' | 'rate'>>

/** `month.<key id>.json`: one file for each key. */
const FILE_NAME_PATTERN = /^month\.[^.]+\.json$/

/**
 * Writes the count into the warehouse's state folder: it survives the loss of Temporal's database.
 *
 * @throws SinkError STATE_NOT_WRITTEN
 */
export async function writeMonthCount(stateDir: string, count: MonthCount): Promise<void> {
  await writeStateFile(join(stateDir, `month.${count.keyId}.json`), count, 'STATE_NOT_WRITTEN')
}

/**
 * The calls of each key in the month of `nowMs`, from the written counts. Further calls of the ledger are divided evenly:
 * the ledger knows no keys.
 *
 * @param ledgerCalls this month's calls in the warehouse's ledger; 0 = not read.
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
  // Of all keys, also of those not asked about: their calls are in the ledger too.
  const counted = [...kept.values()].reduce((sum, { used }) => sum + used, 0)
  const uncounted = Math.ceil(Math.max(0, ledgerCalls - counted) / keyIds.length)
  return keyIds.map((keyId) => {
    const { used = 0, reserve = null } = kept.get(keyId) ?? {}
    return { used: used + uncounted, reserve, rate: all.get(keyId)?.rate ?? null }
  })
}

async function keptCounts(stateDir: string): Promise<Map<string, MonthCount>> {
  const counts = new Map<string, MonthCount>()
  const names = await readdir(stateDir).catch(() => [])
  for (const name of names.filter((one) => FILE_NAME_PATTERN.test(one))) {
    // An unreadable file counts nothing. The ledger has its calls.
    const count = readStateFile(join(stateDir, name)) as MonthCount | null
    if (count !== null) counts.set(count.keyId, count)
  }
  return counts
}
