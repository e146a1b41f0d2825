import { expect, test } from 'vitest'
import type { Verification } from '../../cli/verify/verification.ts'
import { tableByName } from '../../datasets/index.ts'
import { noteContentsSql } from '../../sinks/duckdb-store/load/note-contents.ts'
import type { Warehouse } from '../parts/proof-warehouse.ts'
import { askDuckdb } from '../parts/duckdb.ts'
import { openMarketWarehouse } from '../parts/market-warehouse.ts'

const LINES = [
  'market_chart: { coins: [bitcoin, ethereum], granularity: daily, from: 2024-03-20, to: 2024-04-01 }',
]

async function inStore({ paths }: Warehouse, sql: string): Promise<unknown[][]> {
  return (await askDuckdb(paths.storeFile, sql)).getRowsJS()
}

/**
 * As if rules of an earlier version had refused three points of bitcoin's answer, and one of an answer
 * that is not kept: the points are not in the table and the ledger never counted them.
 */
const REFUSED = [
  `CREATE TEMP TABLE refused AS SELECT row_number() OVER (ORDER BY ts) - 1 AS place, * FROM market_chart
   WHERE coin_id = 'bitcoin' ORDER BY ts LIMIT 3`,
  `DELETE FROM market_chart WHERE coin_id = 'bitcoin' AND ts IN (SELECT ts FROM refused)`,
  `INSERT INTO _quarantine BY NAME SELECT r.slice_id || '-g0-s0-p1-' || place AS quarantine_id,
     'market_chart' AS dataset, r.slice_id, 'not_a_number' AS rule, '$.prices[' || place || '][1]' AS path,
     price::VARCHAR AS raw, 'http://127.0.0.1/v2/coins/bitcoin' AS url, r.fetched_at, r.load_id FROM refused r`,
  `INSERT INTO _quarantine BY NAME SELECT '00000000000000000000-g0-s0-p1-0' AS quarantine_id,
     'ohlc' AS dataset, '00000000000000000000' AS slice_id, 'not_a_number' AS rule, '$[0][1]' AS path,
     'null' AS raw, 'http://127.0.0.1/v2/x' AS url, now() AS fetched_at, 1 AS load_id`,
  // As a load that had refused them noted it.
  noteContentsSql(tableByName('market_chart')!, 'FROM refused t', {
    changedBy: 't.load_id',
    isRemoved: true,
  }),
]

test('quarantine: list, show, replay exactly what passes now, drop the rest', async () => {
  const { served, warehouse } = await openMarketWarehouse()
  await warehouse.export(LINES)
  const all = `SELECT coin_id, ts, price, total_volume, fetched_at, slice_id, is_provisional
      FROM market_chart ORDER BY ALL`
  const whole = await inStore(warehouse, all)
  await inStore(warehouse, REFUSED.join(';\n'))
  const short = await inStore(warehouse, all)
  expect(short).toHaveLength(whole.length - 3)
  const calls = served.log.length

  const gaps = await warehouse.run('gaps')
  expect(gaps.exitCode).toBe(3)
  expect(gaps.stdout).toContain('3 rows quarantined')
  const listed = await warehouse.run('quarantine', 'list', '--json')
  expect(listed.exitCode).toBe(0)
  const rows = JSON.parse(listed.stdout) as { id: string; dataset: string; raw: string }[]
  expect(rows).toHaveLength(4)
  const few = await warehouse.run('quarantine', 'list', '--limit', '1')
  expect(few.stdout).toContain('... and 3 more rows: --limit 4 shows all')
  const one = rows.find(({ dataset }) => dataset === 'market_chart')!
  const shown = await warehouse.run('quarantine', 'show', one.id)
  expect(shown.stdout).toContain(`not_a_number at $.prices[`)
  expect(shown.stdout).toContain(one.raw)
  expect((await warehouse.run('quarantine', 'show', 'nothing')).stderr).toContain(
    'error[QUARANTINE_UNKNOWN]',
  )
  expect((await warehouse.run('quarantine', 'replay')).exitCode).toBe(2)

  const replayed = await warehouse.run('quarantine', 'replay', '--all', '--json')
  expect(replayed.stderr).toBe('')
  expect(JSON.parse(replayed.stdout)).toMatchObject({
    rows: 3,
    rejected: [],
    unreadable: ['00000000000000000000-g0-s0-p1-0'],
  })
  expect(replayed.exitCode).toBe(3)
  expect(await inStore(warehouse, all)).toEqual(whole)
  expect((await warehouse.run('gaps')).exitCode).toBe(0)
  const again = await warehouse.run('quarantine', 'replay', '--dataset', 'market_chart')
  expect(again.stdout).toContain('0 rows of the quarantine pass now: 0 rows loaded')
  expect(again.exitCode).toBe(0)

  const dropped = await warehouse.run('quarantine', 'drop', '--all')
  expect(dropped.stdout).toBe('dropped 1 row\n')
  expect((await warehouse.run('quarantine', 'list')).stdout).toBe('nothing is in quarantine\n')
  expect(
    await inStore(
      warehouse,
      'SELECT ended_as, count(*)::INT FROM _quarantine GROUP BY ALL ORDER BY ALL',
    ),
  ).toEqual([
    ['dropped', 1],
    ['replayed', 3],
  ])
  // Rows that are not replayed but dropped are no gap, and are not forgotten.
  await inStore(
    warehouse,
    `UPDATE _quarantine SET ended_as = 'dropped' WHERE dataset = 'market_chart'`,
  )
  const after = await warehouse.run('gaps')
  expect(after.exitCode).toBe(0)
  expect(after.stdout).toContain('given up: 3 rows of market_chart (quarantine drop)')
  expect(served.log).toHaveLength(calls)

  expect((await warehouse.export(LINES)).requests).toEqual([])
  const verified = await warehouse.run('verify', '--json')
  expect((JSON.parse(verified.stdout) as Verification).differences).toEqual([])
})
