import { DAY_MS } from '../../config/values/duration.ts'
import { allTables } from '../../datasets/index.ts'
import { rmSync } from 'node:fs'
import type { DuckDBConnection } from '@duckdb/node-api'
import { expect, test } from 'vitest'
import type { Verification } from '../../cli/verify/verification.ts'
import type { Row, Slice } from '../../datasets/dataset.ts'
import type { Warehouse } from '../parts/proof-warehouse.ts'
import { leastCalls } from './least-calls.ts'
import { tableHashes } from '../parts/table-hashes.ts'
import { inDuckdb } from '../parts/duckdb.ts'
import { APRIL_MS, openMarketWarehouse } from '../parts/market-warehouse.ts'

const COINS = 12
const ROWS_LOST = 1_000
const SLICES_LOST = 20
/** No moving last points: tables are compared after calls at other times. */
const CHANGES = { coins: COINS, historyDays: 12, dailyDays: 400, hourlyDays: 400, moving: false }

/** Tables of the histories that are lost here. */
const HISTORIES = allTables
  .map(({ name }) => name)
  .filter((name) => /^(?:market_chart|coin_history)/.test(name))

/** A slice that misses rows, and how many rows of each table. */
interface Hole extends Slice {
  sliceId: string
  lost: Record<string, number>
}

const hashes = ({ paths }: Warehouse) => tableHashes(paths.storeFile)

/** Deletes rows at random in the charts of every second coin. */
async function loseRows(connection: DuckDBConnection): Promise<void> {
  await connection.run(
    `DELETE FROM market_chart WHERE rowid IN (SELECT rowid FROM market_chart
       WHERE hash(coin_id) % 2 = 0 ORDER BY hash(coin_id, ts, 7) LIMIT ${ROWS_LOST})`,
  )
}

/** Deletes all rows of slices drawn at random; the ledger forgets them, too, if it is told to. */
async function loseSlices(connection: DuckDBConnection, isForgotten: boolean): Promise<void> {
  const drawn = await read(
    connection,
    `SELECT slice_id FROM _slices WHERE state = 'loaded' AND dataset IN ('market_chart', 'coin_history')
     ORDER BY hash(slice_id, ${Number(isForgotten)}) LIMIT ${SLICES_LOST / 2}`,
  )
  const list = drawn.map((row) => `'${row['slice_id']}'`).join(', ')
  for (const name of [...HISTORIES, ...(isForgotten ? ['_slices', '_contents'] : [])]) {
    await connection.run(`DELETE FROM ${name} WHERE slice_id IN (${list})`)
  }
}

/** Runs `work` on the store; returns what misses rows after it. */
async function holesMade(
  warehouse: Warehouse,
  work: (connection: DuckDBConnection) => Promise<void>,
): Promise<Hole[]> {
  return await inDuckdb(warehouse.paths.storeFile, async (connection) => {
    const slices = (await read(
      connection,
      `SELECT slice_id AS sliceId, dataset, entity, vs_currency AS vsCurrency, granularity,
         epoch_ms(from_at)::DOUBLE AS fromMs, epoch_ms(to_at)::DOUBLE AS toMs FROM _slices`,
    )) as unknown as (Slice & { sliceId: string })[]
    const before = await rowCounts(connection)
    await work(connection)
    const after = await rowCounts(connection)
    return slices.flatMap((slice): Hole[] => {
      const { sliceId } = slice
      const lost = HISTORIES.map((name): [string, number] => {
        const key = `${sliceId} ${name}`
        return [name, (before.get(key) ?? 0) - (after.get(key) ?? 0)]
      }).filter(([, count]) => count > 0)
      return lost.length === 0 ? [] : [{ ...slice, lost: Object.fromEntries(lost) }]
    })
  })
}

async function rowCounts(connection: DuckDBConnection): Promise<Map<string, number>> {
  const counts = HISTORIES.map(
    (name) =>
      `SELECT slice_id || ' ${name}' AS key, count(*)::DOUBLE AS rows FROM ${name} GROUP BY ALL`,
  )
  const rows = await read(connection, counts.join(' UNION ALL '))
  return new Map(rows.map((row) => [String(row['key']), Number(row['rows'])]))
}

async function read(connection: DuckDBConnection, sql: string): Promise<Row[]> {
  return (await connection.runAndReadAll(sql)).getRowObjectsJS() as Row[]
}

test(`${ROWS_LOST} rows and ${SLICES_LOST} slices deleted: each is named, and the least calls bring them back`, async () => {
  const { market, warehouse } = await openMarketWarehouse(CHANGES)
  const coins = JSON.stringify(market.coinIds)
  const from = new Date(APRIL_MS - 399 * DAY_MS).toISOString().slice(0, 10)
  const lines = [
    'exchange_rates: {}',
    `market_chart: { coins: ${coins}, granularity: hourly, from: ${from} }`,
    `coin_history: { coins: ${coins}, from: 2024-03-31 }`,
  ]
  const { report } = await warehouse.export(lines)
  expect(report.verdict).toBe('complete')
  const slices = report.slices.planned
  const whole = await hashes(warehouse)
  expect(await verify(warehouse)).toMatchObject({ exitCode: 0, found: { differences: [] } })

  const damaged = await holesMade(warehouse, async (connection) => {
    await loseRows(connection)
    await loseSlices(connection, false)
  })
  const seen = await verify(warehouse)
  expect(seen.exitCode).toBe(1)
  const named = seen.found.differences.map((one) => {
    expect([one.place, one.check]).toEqual(['store', 'rows'])
    return `${one.sliceId} ${one.table} ${Number(one.expected) - Number(one.found)}`
  })
  expect(named.sort()).toEqual(linesOf(damaged))
  expect((await warehouse.run('verify')).stdout).toContain('coinlake verify --repair')

  const repaired = await verify(warehouse, '--repair')
  expect(repaired.exitCode).toBe(3)
  expect(new Set(repaired.found.repaired?.marked)).toEqual(idsOf(damaged))
  expect(await gapsOf(warehouse)).toEqual(joined(damaged))

  // A stretch that the ledger has forgotten, too, is a gap at once, and still stands in the Parquet files.
  const forgotten = await holesMade(warehouse, (connection) => loseSlices(connection, true))
  // The source alone has their answers.
  rmSync(warehouse.paths.stageDir, { recursive: true })
  const all = [...damaged, ...forgotten]
  expect(await gapsOf(warehouse)).toEqual(joined(all))
  const { differences } = (await verify(warehouse)).found
  expect(new Set(differences.map(({ place }) => place))).toEqual(new Set(['parquet']))
  const unknown = differences.filter(({ check }) => check === 'unknown_slice')
  expect(idsOf(unknown)).toEqual(idsOf(forgotten))

  const rowsLost = linesOf(all).reduce((sum, line) => sum + Number(line.split(' ')[2]), 0)
  expect(rowsLost).toBeGreaterThan(ROWS_LOST)
  expect(all).toHaveLength(idsOf(all).size)
  expect(all.length).toBeLessThan(slices / 2)
  const { price } = await warehouse.plan(lines)
  const mended = await warehouse.export(lines)
  expect(mended.report.verdict).toBe('complete')
  console.log(
    `${rowsLost} rows of ${all.length} of ${slices} slices: ${mended.requests.length} calls`,
  )
  expect(mended.requests).toHaveLength(leastCalls(all))
  expect(price.calls).toMatchObject({ min: mended.requests.length, max: mended.requests.length })
  expect(await hashes(warehouse)).toEqual(whole)
  expect((await verify(warehouse)).found.differences).toEqual([])
  expect((await warehouse.run('gaps')).exitCode).toBe(0)
  expect((await warehouse.export(lines)).requests).toEqual([])

  // Answers that the stage has bring forgotten slices back without a call.
  await inDuckdb(warehouse.paths.storeFile, (connection) => loseSlices(connection, true))
  expect((await warehouse.export(lines)).requests).toEqual([])
  expect(await hashes(warehouse)).toEqual(whole)
})

async function verify(warehouse: Warehouse, ...flags: string[]) {
  const { exitCode, stdout, stderr } = await warehouse.run('verify', '--json', ...flags)
  expect(stderr).toBe('')
  return { exitCode, found: JSON.parse(stdout) as Verification & { ok: boolean } }
}

function idsOf(all: readonly { sliceId: string | null }[]): Set<string | null> {
  return new Set(all.map(({ sliceId }) => sliceId))
}

/** Slice, table and lost rows. */
function linesOf(holes: readonly Hole[]): string[] {
  return holes
    .flatMap(({ sliceId, lost }) =>
      Object.entries(lost).map(([table, count]) => `${sliceId} ${table} ${count}`),
    )
    .sort()
}

/** The gaps that `coinlake gaps` prints, for any reason, one line each. */
async function gapsOf(warehouse: Warehouse): Promise<string[]> {
  const { exitCode, stdout } = await warehouse.run('gaps', '--json')
  expect(exitCode).toBe(3)
  const { intervals } = JSON.parse(stdout) as {
    intervals: (Pick<Slice, 'dataset' | 'entity'> & { state: string; from: string; to: string })[]
  }
  return joined(
    intervals
      .filter(({ state }) => state === 'missing')
      .map((one) => ({ ...one, fromMs: Date.parse(one.from), toMs: Date.parse(one.to) })),
  )
}

/** A stretch of a series. */
type Stretch = Pick<Slice, 'dataset' | 'entity' | 'fromMs' | 'toMs'>

/** Neighbours are one. */
function joined(holes: readonly Stretch[]): string[] {
  const series = Map.groupBy(holes, ({ dataset, entity }) => `${dataset} ${entity}`)
  return [...series]
    .flatMap(([name, slices]) => {
      const parts: { fromMs: number; toMs: number }[] = []
      for (const { fromMs, toMs } of slices.toSorted((a, b) => a.fromMs - b.fromMs)) {
        const last = parts.at(-1)
        if (last?.toMs === fromMs) last.toMs = toMs
        else parts.push({ fromMs, toMs })
      }
      return parts.map(
        ({ fromMs, toMs }) =>
          `${name} ${new Date(fromMs).toISOString()} ${new Date(toMs).toISOString()}`,
      )
    })
    .sort()
}
