import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { runCaptured } from '../../parts/run-captured.ts'
import { tempDir } from '../../parts/temp-dir.ts'

let cwd: string

beforeEach(async () => {
  cwd = tempDir()
})

const run = (...argv: string[]) => runCaptured(argv, { cwd })

test('without any flag: a file that config check finds right', async () => {
  const { exitCode, stdout, stderr } = await run('init')
  expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: 'coinlake.yaml\n' })
  expect(stderr).toContain('coinlake plan')
  expect(stderr).toContain('coinlake backfill')
  const checked = await run('config', 'check')
  expect(checked.exitCode).toBe(0)
  expect(checked.stdout).toContain('coins, coin_markets, market_chart')
})

test('names the file for a shell, when its name has a blank', async () => {
  const { stderr } = await run('init', '-o', "my file's.yaml")
  expect(stderr).toContain(String.raw`coinlake plan -c 'my file'\''s.yaml' `)
})

test('says what of the environment overrides the file, and leaves out what is done', async () => {
  const env = { COINLAKE_API_KEY: 'any', COINLAKE_BASE_URL: 'http://127.0.0.1:8400' }
  const { stderr } = await runCaptured(['init'], { cwd, env })
  expect(stderr).toMatch(/^note: COINLAKE_BASE_URL \(http:\/\/127.0.0.1:8400\) overrides its/m)
  expect(stderr).not.toContain('export COINLAKE_API_KEY')
  expect((await run('init', '--force')).stderr).toContain('export COINLAKE_API_KEY')
})

test('every flag arrives in the file', async () => {
  const flags =
    '--profile coingecko-demo --coins top:25 --vs eur,usd --granularity hourly --from 2025-03-01 ' +
    '--dataset market_chart,exchange_tickers,ohlc --exchanges kraken'
  await run('init', '-o', 'my.yaml', ...flags.split(' '))
  const shown = JSON.parse(
    (await run('config', 'show', '--json', '-c', 'my.yaml')).stdout,
  ) as Record<string, { value: string }>
  const value = (name: string) => shown[name]?.value
  expect(value('source.profile')).toBe('coingecko-demo')
  expect(value('source.base_url')).toBe('https://api.coingecko.com')
  expect(value('datasets.market_chart.coins')).toBe('top:25')
  expect(value('datasets.market_chart.vs_currencies')).toBe('eur, usd')
  expect(value('datasets.market_chart.granularity')).toBe('1h')
  expect(value('datasets.market_chart.from')).toBe('2025-03-01')
  expect(value('datasets.ohlc.granularity')).toBe('4h')
  expect(value('datasets.exchange_tickers.exchanges')).toBe('kraken')
})

test('several granularities are an order each, with its calls', async () => {
  await run('init', '--granularity', 'hourly,daily,4h', '--dataset', 'market_chart,ohlc,coins')
  const text = await readFile(join(cwd, 'coinlake.yaml'), 'utf8')
  expect(text).toContain('\n    granularity: [1h, 1d] # 1d | 1h | 5m\n')
  expect(text).toContain('\n    granularity: 4h # 4h | 30m | 4d\n')
  expect(text).toMatch(/\n {2}market_chart:\n {4}# 1h: calls: 10, .*\n {4}# 1d: calls: 2, .*\n/)
  expect((await run('config', 'check')).stdout).toContain(
    'ok: coinlake.yaml: market_chart/1h, market_chart/1d, ohlc, coins from',
  )
  const plan = await run('plan')
  const rows = plan.stdout.split('\n').map((line) => line.split(/ {2,}/).slice(0, 3))
  expect(rows.slice(1, 5)).toEqual([
    ['market_chart/1h', '10', '10'],
    ['market_chart/1d', '2', '2'],
    ['ohlc', '2', '2'],
    ['coins', '1', '1'],
  ])
})

test('-o - prints the file and writes none', async () => {
  const { stdout, stderr } = await run('init', '-o', '-')
  expect(stderr).toBe('')
  expect(stdout).toContain('\ndatasets:\n')
  expect((await run('config', 'check')).stderr).toContain('CONFIG_NOT_FOUND')
})

test('a file that is there is left as it is, and replaced with --force', async () => {
  await writeFile(join(cwd, 'coinlake.yaml'), 'mine')
  const { exitCode, stderr } = await run('init')
  expect(exitCode).toBe(2)
  expect(stderr).toMatch(/error\[INIT_EXISTS\].*\n.*--force/)
  expect(await readFile(join(cwd, 'coinlake.yaml'), 'utf8')).toBe('mine')
  expect((await run('init', '--force')).exitCode).toBe(0)
  expect(await readFile(join(cwd, 'coinlake.yaml'), 'utf8')).toContain('source:')
})

test.each([
  { baseUrl: 'http://127.0.0.1:8400', isLocal: true },
  { baseUrl: 'https://api.example', isLocal: false },
])('$baseUrl: the simulated service is named only for this machine', async (one) => {
  const { exitCode, stderr } = await run('init', '--force', '--base-url', one.baseUrl)
  expect(exitCode).toBe(0)
  expect(stderr.includes('coinlake serve --simulate')).toBe(one.isLocal)
  expect(stderr.includes('COINLAKE_API_KEY=any')).toBe(one.isLocal)
})

test('a folder that is not there: exit 5', async () => {
  const { exitCode, stderr } = await run('init', '-o', 'no/such/coinlake.yaml')
  expect(exitCode).toBe(5)
  expect(stderr).toContain('OUTPUT_NOT_WRITABLE')
})
