import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { CrashPoint } from '../../config/crash-point.ts'
import { reportOf } from './report-of.ts'
import { type Lake, openLake } from '../parts/lake.ts'
import { repeatedRequests, serveMarket } from '../parts/day-market.ts'
import type { Served } from '../parts/serve-source.ts'
import { tableHashes } from '../parts/table-hashes.ts'

/** Few slices, but more than one load: a lane loads what it has when it ends. */
const DATASETS = [
  'coins: { every: 1d }',
  'coin_markets: { every: 1d }',
  'exchange_tickers: { exchanges: [binance, kraken], every: 1d }',
  'market_chart: { coins: "top:5", granularity: hourly, from: 2024-03-28 }',
  'ohlc: { coins: "top:5", granularity: 4h, from: 2024-03-28 }',
]
const SIZE = { coins: 5, latencyMs: 20 }

export const PUBLICATIONS = ['duckdb', 'parquet', 'both'] as const
export type PublicationChoice = (typeof PUBLICATIONS)[number]

/** The result of an undisturbed run. */
export interface Undisturbed {
  /** Of each table, in the store and in the publications alike. */
  hashes: Record<string, string>
  /** How often each crash point is reached. */
  counts: Map<CrashPoint, number>
}

/** The small market of the crash tests, behind a socket of its own. */
export function serveSmallMarket(): Promise<Served> {
  return serveMarket(SIZE)
}

/** A warehouse that wants all of it. */
export function openSmallLake(
  service: Served,
  publication: PublicationChoice,
  engineDir: string,
): Lake {
  const sinks = publication === 'both' ? (['duckdb', 'parquet'] as const) : [publication]
  return openLake(service.url, DATASETS, { sinks, engineDir })
}

/** Runs once without a disturbance, counts the crash points, and proves that a second run does nothing. */
export async function runUndisturbed(
  publication: PublicationChoice,
  engineDir: string,
): Promise<Undisturbed> {
  const service = await serveSmallMarket()
  const lake = openSmallLake(service, publication, engineDir)
  try {
    const log = join(lake.paths.root, '..', 'points.log')
    const counting = { COINLAKE_CRASH_AT: 'count', COINLAKE_CRASH_LOG: log }
    reportOf(await lake.start(['backfill', '--json'], counting).ended)
    if (repeatedRequests(service.log) > 0) throw new Error('a request was made twice')
    const counts = new Map<CrashPoint, number>()
    for (const line of readFileSync(log, 'utf8').trim().split('\n')) {
      const point = line.split(' ')[0] as CrashPoint
      counts.set(point, (counts.get(point) ?? 0) + 1)
    }
    const again = reportOf(await lake.start(['backfill', '--json']).ended)
    if (again.calls > 0 || again.rows > 0) throw new Error(`again: ${again.calls} calls`)
    const hashes = await tableHashes(lake.paths.storeFile)
    await expectPublished(lake, publication, hashes)
    return { hashes, counts }
  } finally {
    await lake.remove()
    await service.close()
  }
}

/** Throws unless every publication holds exactly these tables, and the link or tree of no other exists. */
export async function expectPublished(
  { paths }: Lake,
  publication: PublicationChoice,
  hashes: Readonly<Record<string, string>>,
): Promise<void> {
  const places = [
    { kind: 'duckdb', path: paths.duckdbLink, read: () => tableHashes(paths.duckdbLink) },
    { kind: 'parquet', path: paths.parquetLink, read: () => tableHashes(paths) },
  ]
  for (const { kind, path, read } of places) {
    const isWanted = publication === 'both' || publication === kind
    if (existsSync(path) !== isWanted)
      throw new Error(`${path} ${isWanted ? 'is missing' : 'is there'}`)
    if (isWanted) expectEqual(kind, hashes, await read())
  }
}

/** Throws with the tables that differ. */
export function expectEqual(
  place: string,
  expected: Readonly<Record<string, string>>,
  found: Readonly<Record<string, string>>,
): void {
  const names = Object.keys(expected).filter((name) => found[name] !== expected[name])
  if (names.length === 0) return
  const differences = names.map((name) => `${name} ${found[name]} instead of ${expected[name]}`)
  throw new Error(`the tables in ${place} differ: ${differences.join('; ')}`)
}
