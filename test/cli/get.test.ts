import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { listen } from '../parts/listen.ts'
import { openMarketWarehouse } from '../parts/market-warehouse.ts'
import { openMarketFolder } from '../parts/market-lake.ts'
import type { Captured } from '../parts/run-captured.ts'
import { askDuckdb } from '../parts/duckdb.ts'

const CHART = ['market_chart', '--coins', 'bitcoin', '--from', '2024-03-28', '--to', '2024-04-02']

const { service, folder: place } = await openMarketFolder(
  { coins: 3 },
  // An empty variable counts as not set.
  ({ url }) => ({ env: { COINLAKE_BASE_URL: url, COINLAKE_PROFILE: '' } }),
  afterAll,
)

const get = (...words: string[]): Promise<Captured> => place.run('get', ...words)
const passing = (): string[] =>
  readdirSync(tmpdir()).filter((name) => name.startsWith('coinlake-get-'))

test('one line gives one file, and leaves nothing else', async () => {
  const before = passing()
  const { exitCode, stdout, stderr } = await get(...CHART, '-o', 'btc.csv')
  expect(exitCode, stderr).toBe(0)
  expect(stdout).toBe('')
  expect(stderr).toContain('wrote btc.csv: 5 rows\n')
  expect(stderr).not.toContain('published')
  const [head, first, ...more] = readFileSync(join(place.dir, 'btc.csv'), 'utf8').trim().split('\n')
  expect(head).toBe(
    'coin_id,vs_currency,granularity,ts,bucket_at,price,market_cap,total_volume,bucket_date,is_provisional',
  )
  expect(first).toMatch(/^bitcoin,usd,1d,2024-03-28T00:00:00.000Z,/)
  expect(more).toHaveLength(4)
  expect(passing()).toEqual(before)
})

test.each(['gone/btc.csv', 'gone/btc.duckdb', '.'])(
  'an output without a place costs no call: %s',
  async (file) => {
    const calls = service.log.length
    const { exitCode, stderr } = await get(...CHART, '--format', 'csv', '-o', file)
    expect([exitCode, service.log.length]).toEqual([5, calls])
    expect(stderr).toMatch(
      /^error\[OUTPUT_NOT_WRITABLE\]: cannot write .*\n {2}hint: Name a file in a folder/,
    )
  },
)

test('a warehouse that stays makes the next one pay for what is new', async () => {
  const words = ['--granularity', 'hourly', '--warehouse', 'lake', '-o', 'btc.parquet']
  expect((await get(...CHART, ...words)).exitCode).toBe(0)
  const calls = service.log.length
  const again = await get(...CHART, ...words)
  expect([again.exitCode, service.log.length]).toEqual([0, calls])
  expect(again.stderr).toContain('nothing to do')
  const wider = await get(...CHART.slice(0, -1), '2024-04-03', ...words)
  expect([wider.exitCode, service.log.length]).toEqual([0, calls + 1])
  const file = join(place.dir, 'btc.parquet')
  const rows = await askDuckdb(':memory:', `SELECT count(*), count(DISTINCT ts) FROM '${file}'`)
  expect(rows.getRowsJson()).toEqual([['144', '144']])
})

test('a point that still moves is counted as left out', async () => {
  const nowMs = Date.UTC(2024, 3, 5, 5, 30)
  const { served, warehouse } = await openMarketWarehouse({ nowMs })
  const words = [...CHART.slice(0, -2), '--base-url', served.url, '-o', 'now.csv']
  const { stderr } = await warehouse.run('get', ...words)
  expect(stderr).toContain('complete: 10 rows')
  expect(stderr).toContain('wrote now.csv: 9 rows (1 point left out: still moving)\n')
})

test('several datasets go into a DuckDB file, and into no other', async () => {
  const several = ['exchange_rates', 'coins', '-o']
  for (const file of [['both.csv'], ['both.duckdb', '-f', 'csv']]) {
    const refused = await get(...several, ...file)
    expect([refused.exitCode, refused.stderr]).toEqual([2, expect.stringContaining(file[0]!)])
  }
  const other = await get(...several, 'both.xlsx')
  expect(other.stderr).toContain('.xlsx is none of .csv, .json, .parquet, .txt, .duckdb, .db')
  const { exitCode, stderr } = await get('exchange_rates, coins,', '-o', 'both.duckdb')
  expect(exitCode, stderr).toBe(0)
  const file = join(place.dir, 'both.duckdb')
  const sql = 'SELECT (SELECT count(*) FROM coins) AS n, count(*) > 0 FROM exchange_rates'
  const counts = await askDuckdb(file, sql, 'READ_ONLY')
  expect(counts.getRowsJson()).toEqual([['3', true]])
  // The file is the user's own.
  expect(statSync(file).mode & 0o200).toBe(0o200)
})

test('a table is handed out by its name, and what a dataset has beside it is told', async () => {
  const { exitCode, stderr } = await get('coins', '-o', 'coins.csv')
  expect([exitCode, stderr]).toEqual([
    0,
    expect.stringMatching(/note: the output has only coins; -o NAME.duckdb adds \w+/),
  ])
  const platforms = await get('coin_platforms', '-o', 'platforms.csv')
  expect(platforms.exitCode, platforms.stderr).toBe(0)
  expect(readFileSync(join(place.dir, 'platforms.csv'), 'utf8')).toContain('platform_id')
})

test('a DuckDB file with a log of its own is not replaced', async () => {
  writeFileSync(join(place.dir, 'own.duckdb.wal'), 'of somebody')
  const { exitCode, stderr } = await get('coins', '-o', 'own.duckdb')
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining('GET_WAL')])
  expect(existsSync(join(place.dir, 'own.duckdb'))).toBe(false)
})

test('nothing is kept of a source that does not answer', async () => {
  const before = passing()
  const { exitCode } = await get('coins', '--base-url', 'http://127.0.0.1:9', '-o', 'x.csv')
  expect(exitCode).toBe(4)
  expect(passing()).toEqual(before)
})

test('a stop before the first answer names no folder, because none is kept', async () => {
  const before = passing()
  const others = new Set(process.listeners('SIGINT'))
  let isStopped = false
  const url = await listen((_, response) => {
    const own = process.listeners('SIGINT').filter((one) => !others.has(one))
    // A second signal would quit at once.
    if (!isStopped) own[0]?.('SIGINT')
    isStopped = true
    response.destroy()
  })
  const { exitCode, stderr } = await get(...CHART, '--base-url', url, '-o', 'x.csv')
  expect([exitCode, stderr.trimEnd().split('\n').at(-1)]).toEqual([130, 'stopped'])
  expect(passing()).toEqual(before)
})

test('a source that refuses is told to programs, too', async () => {
  const url = await listen((_, response) => response.writeHead(401).end('{}'))
  const { exitCode, stdout } = await get(...CHART, '--base-url', url, '--format', 'json')
  expect(exitCode).toBe(4)
  expect(JSON.parse(stdout)).toMatchObject({ fatal: { code: 'SOURCE_AUTH', exitCode: 4 } })
})

test('a warning comes once', async () => {
  const kept = ['--warehouse', 'listed', '-o', 'doubted.csv']
  expect((await get('coins', ...kept)).exitCode).toBe(0)
  const { stderr } = await get('market_chart', '--coins', 'bitcoinn', ...kept)
  expect(stderr.match(/warning: there is no coin/g)).toHaveLength(1)
})

test('standard output carries the rows alone', async () => {
  const { exitCode, stdout } = await get('exchange_rates', '--format', 'json')
  expect(exitCode).toBe(0)
  expect((JSON.parse(stdout) as unknown[]).length).toBeGreaterThan(10)
})

test.for([
  [
    'more than a handful of calls',
    ['--coins', 'top:3', '--from', '2015-01-01', '--granularity', 'hourly'],
    'GET_COST',
  ],
  ['no choice of coins', [], 'CONFIG_MISSING'],
  ['an end before the default start', ['--coins', 'bitcoin', '--to', '2020-01-01'], 'say `from`'],
  ['a granularity that is none', ['--coins', 'bitcoin', '--granularity', 'weekly'], 'CONFIG_'],
] as const)('%s is told before a call', async ([, words, code]) => {
  const [calls, before] = [service.log.length, passing()]
  const { exitCode, stderr } = await get('market_chart', ...words, '-o', 'x.csv')
  expect([exitCode, service.log.length]).toEqual([2, calls])
  expect(stderr).toContain(code)
  expect(existsSync(join(place.dir, 'x.csv'))).toBe(false)
  expect(passing()).toEqual(before)
})

test('a dataset and a coin that are not there are named', async () => {
  const mistyped = await get('market_charts')
  expect([mistyped.exitCode, mistyped.stderr]).toEqual([
    2,
    expect.stringContaining('Did you mean `market_chart`'),
  ])
  const profile = await get(...CHART, '--profile', 'coingeko-demo', '-o', 'x.csv')
  expect([profile.exitCode, profile.stderr]).toEqual([
    2,
    expect.stringContaining('Did you mean `coingecko-demo`?'),
  ])
  const unknown = await get('market_chart', '--coins', 'nobody', '-o', 'x.csv')
  expect([unknown.exitCode, unknown.stderr]).toEqual([7, expect.stringContaining('nobody')])
  expect(existsSync(join(place.dir, 'x.csv'))).toBe(false)
})
