import { afterEach, expect, test } from 'vitest'
import { frozenClock } from '../../../config/clock.ts'
import type { Slice } from '../../../datasets/dataset.ts'
import { MARKET_CHART, marketChart } from '../../../datasets/market-chart.ts'
import { openStore, type Store } from '../../../sinks/duckdb-store/open-store.ts'
import { pageOf } from '../../datasets/context.ts'
import { storeHarness } from './store-harness.ts'
import { tempFolder } from './temp-folder.ts'
import { HOUR_MS, START_MS } from './test-dataset.ts'

const folder = tempFolder()
const open: Store[] = []
const SLICE: Slice = {
  dataset: 'market_chart',
  entity: 'bitcoin',
  vsCurrency: 'usd',
  granularity: '1h',
  fromMs: START_MS,
  toMs: START_MS + 3 * HOUR_MS,
}
const COLUMNS = 'price, market_cap, total_volume, _absent'

afterEach(async () => {
  for (const store of open.splice(0)) await store.close()
})

/** Opens a store whose `load` takes one chart after another for the same slice, each fetched at the given hour. */
async function chartStore(name: string) {
  const clock = frozenClock(START_MS)
  const facts = { datasets: [marketChart], coinlakeVersion: '1.2.3', clock }
  const store = await openStore({ file: folder.path(name), ...facts })
  open.push(store)
  const { loadOne, table } = storeHarness(store, [MARKET_CHART])
  const load = async (body: unknown, hour: number) => {
    const { tables, rejected } = marketChart.toTables(body, pageOf(marketChart, SLICE))
    const fetchedAtMs = START_MS + hour * HOUR_MS
    return await loadOne({ slice: SLICE, fetchedAtMs, made: tables[0]!, rejected })
  }
  return {
    load,
    query: table,
    rows: () => table(`SELECT ${COLUMNS} FROM market_chart ORDER BY ts`),
  }
}

function points(...values: (number | null)[]): [number, number | null][] {
  return values.map((value, hour) => [START_MS + hour * HOUR_MS, value])
}

const WHOLE = {
  prices: points(1, 2, 3),
  market_caps: points(10, 20, 30),
  total_volumes: points(100, 200, 300),
}

test.each([
  ['closed', 50, 51],
  ['provisional', 3, 4],
  ['then closed', 3, 50],
])('a refetch that lacks prices leaves those that are stored: %s', async (name, first, second) => {
  const { load, query, rows } = await chartStore(name)
  await load(WHOLE, first)
  await load({ market_caps: WHOLE.market_caps, total_volumes: points(100, 201, 300) }, second)
  expect(await rows()).toEqual([
    [1, 10, 100, null],
    [2, 20, 201, null],
    [3, 30, 300, null],
  ])
  expect(await query('SELECT rule, path FROM _quarantine')).toEqual([['array_missing', '$.prices']])
})

test.each([
  ['closed', 50, 51],
  ['provisional', 3, 4],
])(
  'an answer whose prices are refused leaves those that are stored: %s',
  async (name, first, second) => {
    const { load, query, rows } = await chartStore(`refused-${name}`)
    await load(WHOLE, first)
    const prices = [[START_MS / 1000 + 0.5, 1], [START_MS + HOUR_MS, '2'], points(1, 2, 4)[2]!]
    await load({ ...WHOLE, prices }, second)
    expect(await rows()).toEqual([
      [1, 10, 100, null],
      [2, 20, 200, null],
      [4, 30, 300, null],
    ])
    expect(await query('SELECT rule FROM _quarantine ORDER BY 1')).toEqual([
      ['not_a_number'],
      ['not_a_timestamp'],
    ])
  },
)

test('a refetch that lacks two arrays leaves no revision of a closed point', async () => {
  const { load, query, rows } = await chartStore('two')
  await load(WHOLE, 50)
  expect(await load({ prices: WHOLE.prices }, 51)).toMatchObject({ rowsDuplicate: 3 })
  expect((await rows())[0]).toEqual([1, 10, 100, null])
  expect(await query('SELECT count(*) FROM _revisions')).toEqual([[0]])
})

test('a later answer fills in the values of an array that the first answer lacked', async () => {
  const { load, rows } = await chartStore('later')
  await load({ prices: WHOLE.prices, total_volumes: WHOLE.total_volumes }, 50)
  expect((await rows())[0]).toEqual([1, null, 100, '["market_caps[]"]'])
  await load({ market_caps: points(10), total_volumes: points(100, 200, 300) }, 51)
  expect(await rows()).toEqual([
    [1, 10, 100, null],
    [2, null, 200, '["market_caps"]'],
    [3, null, 300, '["market_caps"]'],
  ])
})

test('a newer answer removes a provisional point that none of its arrays lists, because the source has moved it', async () => {
  const { load, query, rows } = await chartStore('moved')
  await load(WHOLE, 3)
  const moved = [...points(10, 20), [START_MS + 2.5 * HOUR_MS, 31] as const]
  expect(await load({ market_caps: moved, total_volumes: points(100, 200) }, 4)).toMatchObject({
    rowsReplaced: 1,
  })
  expect(await rows()).toEqual([
    [1, 10, 100, null],
    [2, 20, 200, null],
    [null, 31, null, '["prices[]","total_volumes"]'],
  ])
  expect(await query('SELECT rule, path FROM _quarantine')).toEqual([['array_missing', '$.prices']])
})

const MINUTE_MS = HOUR_MS / 60

/** The points, the second of them some minutes later. */
function retimed(...values: number[]): [number, number | null][] {
  return points(...values).map(([ms, value], hour) => [hour === 1 ? ms + 2 * MINUTE_MS : ms, value])
}

test('a closed point that the source has at another time of its bucket is revised', async () => {
  const { load, query, rows } = await chartStore('retimed')
  await load(WHOLE, 50)
  const again = {
    prices: retimed(1, 5, 3),
    market_caps: retimed(10, 20, 30),
    total_volumes: retimed(100, 200, 300),
  }
  const counts = { rowsInserted: 1, rowsReplaced: 1, rowsRevised: 1, rowsDuplicate: 2 }
  expect(await load(again, 51)).toMatchObject(counts)
  expect(await rows()).toEqual([
    [1, 10, 100, null],
    [5, 20, 200, null],
    [3, 30, 300, null],
  ])
  const revised = await query(
    `SELECT epoch_ms((key->>'ts')::TIMESTAMPTZ), before->>'price', after->>'price', epoch_ms((after->>'ts')::TIMESTAMPTZ)
     FROM _revisions`,
  )
  const atMs = START_MS + HOUR_MS
  expect(revised).toEqual([[atMs, '2.0', '5.0', atMs + 2 * MINUTE_MS]])
})

test('a closed point at another time is revised, too, where one of the arrays lacks it', async () => {
  const { load, query, rows } = await chartStore('lacking')
  await load(WHOLE, 50)
  const market_caps = retimed(10, 20, 30).toSpliced(1, 1)
  const total_volumes = retimed(100, 200, 300)
  await load({ prices: retimed(1, 5, 3), market_caps, total_volumes }, 51)
  expect(await rows()).toEqual([
    [1, 10, 100, null],
    [5, null, 200, '["market_caps"]'],
    [3, 30, 300, null],
  ])
  expect(await query("SELECT before->>'market_cap' FROM _revisions")).toEqual([['20.0']])
})

test('an answer without prices moves no closed point', async () => {
  const { load, rows } = await chartStore('half')
  await load(WHOLE, 50)
  await load({ market_caps: retimed(10, 20, 30), total_volumes: retimed(100, 200, 300) }, 51)
  expect((await rows())[1]).toEqual([2, 20, 200, null])
  expect(await rows()).toHaveLength(4)
})

test('a second point of a bucket that the source lists no more goes to the revisions', async () => {
  const { load, query, rows } = await chartStore('second')
  const more = <T>(one: [number, T][], value: T) => [...one, [START_MS + 2.5 * HOUR_MS, value]]
  const two = {
    prices: more(WHOLE.prices, 4),
    market_caps: more(WHOLE.market_caps, 40),
    total_volumes: more(WHOLE.total_volumes, 400),
  }
  await load(two, 50)
  expect(await rows()).toHaveLength(4)
  await load(WHOLE, 51)
  expect(await rows()).toHaveLength(3)
  expect(await query("SELECT before->>'price', after->>'price' FROM _revisions")).toEqual([
    ['4.0', '3.0'],
  ])
})
