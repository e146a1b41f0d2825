import { expect, test } from 'vitest'
import { readFaults } from '../../../service/faults/read-faults.ts'
import { type Asked, exportsUnder, type FaultyExport } from './export-under-faults.ts'

const LISTINGS: Asked = [['coin_markets'], ['exchanges'], ['exchange_tickers'], ['coin_tickers']]
const TICKERS = '["exchanges/{id}/tickers", "coins/{id}/tickers"]'

/** Which tickers there are, wherever they stand in their listings. */
async function tickersOf({ connection, store }: FaultyExport): Promise<unknown[]> {
  const reader = await connection.runAndReadAll(
    `SELECT exchange_id, base, target, coin_id, last, trade_url FROM ${store}.exchange_tickers ORDER BY ALL`,
  )
  return reader.getRowsJS()
}

async function ledgerOf({ connection, store }: FaultyExport): Promise<Record<string, unknown>> {
  const reader = await connection.runAndReadAll(
    `SELECT dataset, sum(duplicate)::INTEGER AS duplicate, sum(moved)::INTEGER AS moved
     FROM ${store}._slices GROUP BY dataset ORDER BY dataset`,
  )
  const rows = reader.getRowsJS() as [string, number, number][]
  return Object.fromEntries(
    rows.map(([dataset, duplicate, moved]) => [dataset, { duplicate, moved }]),
  )
}

test('listings that are clamped, come twice or move: whole, counted, and named', async () => {
  const [calm, clamped, twice, moving] = await exportsUnder(
    [
      [],
      readFaults('faults.yaml', '- { fault: clamped_pages, most: 7 }', 1),
      readFaults('faults.yaml', `- { fault: duplicates, operations: ${TICKERS} }`, 1),
      readFaults('faults.yaml', '- fault: rows_move', 1),
    ],
    { coins: 12, exchanges: 3, hourlyDays: 1, dailyDays: 1 },
    LISTINGS,
  )
  for (const { report } of [calm!, clamped!, twice!, moving!]) {
    expect(report).toMatchObject({ verdict: 'complete', failures: [] })
  }
  expect(await ledgerOf(calm!)).toEqual(
    Object.fromEntries(LISTINGS.map(([name]) => [name, { duplicate: 0, moved: 0 }])),
  )
  // A page that is shorter than asked for was not the end, however short it was.
  expect(clamped!.tables).toEqual(calm!.tables)

  // An item that came twice on one page is there once, and is no sign of a listing that moved.
  expect(await tickersOf(twice!)).toEqual(await tickersOf(calm!))
  const counted = await ledgerOf(twice!)
  expect(counted['exchange_tickers']).toMatchObject({ moved: 0 })
  expect(counted['exchange_tickers']).not.toMatchObject({ duplicate: 0 })

  // Each listing has an item on two pages: one copy of it, and a word in ledger, report and gaps.
  expect(await tickersOf(moving!)).toEqual(await tickersOf(calm!))
  const moved = await ledgerOf(moving!)
  expect(moved['exchange_tickers']).toEqual({ duplicate: 3, moved: 3 })
  expect(moved['coin_markets']).toEqual({ duplicate: 1, moved: 1 })
  const told = await moving!.warehouse.run('gaps')
  expect(told.stdout).toMatch(
    /coin_markets usd .*: the listing moved while it was read: 1 item came/,
  )
  expect(told.exitCode).toBe(0)
})
