import type { Point, SampleStore } from './sample-store.ts'

/** How a reader comes to what is published. */
export type ReaderKind = 'link' | 'open' | 'resolved' | 'glob' | 'all'

/** One look: what belongs together in it fits only if all of it is of one moment. */
export interface Seen {
  /** Sets that were loaded, counted by their coin. */
  sets: number
  /** Six a set: two months of three coins. */
  set_rows: number
  /** Three at any time, in a month that every load empties and fills. */
  moving_rows: number
  /** 0 over each set. */
  price_sum: number
  /** The newest load by the points, and by the coins. */
  newest: number
  newest_coin: number
}

/** The report of a reader at its end. */
export interface ReaderReport {
  kind: string
  reads: number
  errors: string[]
  partial: Seen[]
  /** When each number of sets was first seen, epoch ms. */
  firstSeenMs: Record<string, number>
}

const COINS = ['amp', 'bitcoin', 'zcash']
const MOVING_MONTH = '2024-03'

/** Loads set `number` (from 1): points that add up to nothing over two months, and a coin. */
export async function loadFullSet(store: SampleStore, number: number): Promise<void> {
  const second = new Date(Date.UTC(2024, 0, 1, 0, 0, number)).toISOString().slice(10)
  const points: Point[] = COINS.flatMap((coin, place): Point[] => [
    [coin, `2024-01-01${second}`, number * (place + 1)],
    [coin, `2024-02-01${second}`, -number * (place + 1)],
    [coin, `${MOVING_MONTH}-01${second}`, 0],
  ])
  await store.empty(MOVING_MONTH)
  await store.load({ points, coins: [[`coin-${number}`, String(number)]] })
}

/** A look at the published file. */
export const FILE_SQL = lookSql('market_chart', 'coins')

/** A look at a Parquet tree, or a version of it. */
export function treeSql(folder: string): string {
  return lookSql(
    `read_parquet('${folder}/market_chart/*.parquet')`,
    `read_parquet('${folder}/coins/*.parquet')`,
  )
}

/** The same by one pattern for all files of the tree. */
export function wholeTreeSql(folder: string): string {
  const all = `read_parquet('${folder}/**/*.parquet', union_by_name = true, filename = true)`
  const of = (table: string): string => `(FROM ${all} WHERE filename LIKE '%/${table}/%')`
  return lookSql(of('market_chart'), of('coins'))
}

/** The same over any two relations. */
export function lookSql(chart: string, coins: string): string {
  const isMoving = `strftime(ts AT TIME ZONE 'UTC', '%Y-%m') = '${MOVING_MONTH}'`
  return `SELECT sets, newest_coin, set_rows, moving_rows, price_sum, newest FROM
    (SELECT count(*) AS sets, max(load_id) AS newest_coin FROM ${coins}),
    (SELECT count(*) FILTER (NOT (${isMoving})) AS set_rows, count(*) FILTER (${isMoving}) AS moving_rows,
       sum(price) AS price_sum, max(load_id) AS newest FROM ${chart})`
}
