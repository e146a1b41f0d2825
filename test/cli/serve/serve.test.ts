import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { get, type IncomingMessage } from 'node:http'
import { Server } from 'node:net'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, onTestFinished, test, vi } from 'vitest'
import { runCaptured } from '../../parts/run-captured.ts'
import { TINY_NOW_MS, tinyWarehouse } from '../../parts/tiny-warehouse.ts'
import { tempDir } from '../../parts/temp-dir.ts'
import { serve } from './serve-process.ts'

const samples = fileURLToPath(new URL('../../../../shared/samples/', import.meta.url))
const dir = tempDir(afterAll)
const TINY = ['--simulate', '--preset', 'tiny']

/** The answer to a page whose name was made to lead to this machine. */
async function statusAs(host: string, url: string): Promise<number | undefined> {
  const [answer] = (await once(get(url, { headers: { host } }), 'response')) as [IncomingMessage]
  answer.resume()
  return answer.statusCode
}

test('--simulate: the URL alone on stdout, the same market for the same seed, a log, Ctrl-C', async () => {
  const log = join(dir, 'requests.jsonl')
  const argv = [...TINY, '--clock', '2026-01-15', '--seed', '5']
  const one = await serve([...argv, '--log', log, '--allow-host', 'Data.Example.org'])
  const path = '/v2/coins/markets?vs_currency=usd'
  const body = await (await one.get(path)).text()
  expect(JSON.parse(body)).toHaveLength(5)
  expect((await one.get('/v2/coins/nobody/ohlc?vs_currency=usd&days=7')).status).toBe(404)
  expect(await statusAs('data.example.org', `${one.url}/v2/ping`)).toBe(200)
  expect(await statusAs('evil.example', `${one.url}/v2/ping`)).toBe(421)
  const { code, stdout, stderr } = await one.stop()
  expect({ code, stdout }).toEqual({ code: 0, stdout: `${one.url}\n` })
  expect(stderr).toContain(`curl '${one.url}/v2/coins/markets`)
  const entries = (await readFile(log, 'utf8')).trim().split('\n')
  expect(entries.map((line) => JSON.parse(line) as unknown)).toMatchObject([
    { method: 'GET', path: '/v2/coins/markets', status: 200, operation: 'coins/markets' },
    { path: '/v2/coins/nobody/ohlc', status: 404 },
    { path: '/v2/ping', status: 200 },
    { path: '/v2/ping', status: 421 },
  ])

  const again = await serve(argv)
  expect(await (await again.get(path)).text()).toBe(body)
})

test('the port is opened once, before the market is made, and stays open', async () => {
  const listen = vi.spyOn(Server.prototype, 'listen')
  onTestFinished(() => listen.mockRestore())
  const stdout = new PassThrough()
  stdout.once('data', () => process.listeners('SIGINT').at(-1)?.('SIGINT'))
  const argv = ['serve', ...TINY, '--port', '0']
  expect(await runCaptured(argv, { stdout })).toMatchObject({ exitCode: 0 })
  expect(listen).toHaveBeenCalledTimes(1)
})

test('--warehouse takes the folder or the file; keys from a file, a rate', async () => {
  const keyFile = join(dir, 'keys')
  await writeFile(keyFile, 'first-key\n\nsecond-key\n')
  const { root, duckdbLink } = await tinyWarehouse('duckdb')
  for (const path of [root, duckdbLink]) {
    const served = await serve(['--warehouse', path, '--key-file', keyFile, '--rate', '2/1h'])
    const ask = (key?: string) => served.get('/v2/coins/list', key)
    expect((await ask()).status).toBe(401)
    expect(await (await ask('first-key')).json()).toHaveLength(5)
    expect((await ask('third-key')).status).toBe(401)
    const second = await ask('second-key')
    expect([second.status, second.headers.get('x-ratelimit-limit')]).toEqual([200, '2'])
    await ask('second-key')
    expect((await ask('second-key')).status).toBe(429)
    const { stderr } = await served.stop()
    expect(stderr).toContain('Bearer $KEY')
    expect(stderr).not.toMatch(/first-key|third-key/)
    expect(stderr).toContain('warning: 1 request with a wrong key from 127.0.0.1')
  }
})

test('--warehouse --clock: the last days are those before that time', async () => {
  const { root } = await tinyWarehouse('duckdb')
  const path = '/v2/coins/bitcoin/market_chart?vs_currency=usd&days=7&interval=daily'
  const pointsAt = async (...clock: string[]): Promise<number> => {
    const served = await serve(['--warehouse', root, ...clock])
    const { prices } = (await (await served.get(path)).json()) as { prices: unknown[] }
    return prices.length
  }
  expect(await pointsAt()).toBe(0)
  // Seven midnights, and the point of that time.
  expect(await pointsAt('--clock', new Date(TINY_NOW_MS).toISOString())).toBe(8)
})

test('--recordings answers the recorded bytes; the key from the environment', async (context) => {
  if (!existsSync(samples)) {
    console.log('skipped: ../shared/samples is not there')
    context.skip()
    return
  }
  const file = join(samples, 'exchange_rates--JKorf-CoinGecko.Net.json')
  const served = await serve(['--recordings', file], { COINLAKE_SERVE_KEY: 'k' })
  expect((await served.get('/v2/exchange_rates')).status).toBe(401)
  const answer = await served.get('/v2/exchange_rates', 'k')
  expect(Buffer.from(await answer.arrayBuffer())).toEqual(await readFile(file))
})

test('--recordings counts the files that are answered, and says for which requests', async () => {
  const folder = join(dir, 'recordings')
  await mkdir(folder)
  for (const file of ['exchange_rates--a.json', 'exchange_rates--b.json', 'coins-list.json']) {
    await writeFile(join(folder, file), '[]')
  }
  const served = await serve(['--recordings', folder])
  const listed = (await (await served.get('/openapi.json')).json()) as { paths: object }
  expect(Object.keys(listed.paths)).toContain('/v2/exchange_rates')
  const { stderr } = await served.stop()
  // Each source has it. No listing of coins is recorded here.
  expect(stderr).toContain(`curl '${served.url}/openapi.json'`)
  expect(stderr).toContain('warning: exchange_rates--b.json is not answered')
  expect(stderr).toContain('serving 2 recordings for any id and window')
})

test('a port that is taken: exit 2 with what to do', async () => {
  const served = await serve(TINY)
  const { port } = new URL(served.url)
  // Told before anything is made: a market of this size takes a while.
  const huge = ['--simulate', '--preset', 'years', '--port', port]
  const { exitCode, stdout, stderr } = await runCaptured(['serve', ...huge])
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' })
  expect(stderr).toMatch(/^error\[SERVICE_PORT_TAKEN\].*\n.*--port.*\n$/)
})

test('a market before its time: the hint says which time will do', async () => {
  const argv = ['serve', ...TINY, '--port', '0', '--clock', '2018-12-31']
  const { exitCode, stderr } = await runCaptured(argv)
  expect(exitCode).toBe(2)
  expect(stderr).toMatch(/error\[MARKET_SPEC\].*before 2019.*\n {2}hint: .*2019-01-01.*--clock/)
})

test.each([
  { argv: [], code: 'SERVE_SOURCE' },
  { argv: ['--simulate', '--warehouse', 'w'], code: 'SERVE_SOURCE' },
  { argv: ['--simulate', '--port', '65536'], code: 'SERVE_OPTION' },
  { argv: ['--simulate', '--rate', '5/m'], code: 'SERVE_OPTION' },
  { argv: ['--simulate', '--seed', '-1'], code: 'SERVE_OPTION' },
  { argv: ['--simulate', '--allow-host', 'https://a.example'], code: 'SERVE_OPTION' },
  { argv: ['--simulate', '--clock', 'today'], code: 'SERVE_OPTION' },
  { argv: ['--simulate', '--latency', '1s'], code: 'SERVE_OPTION' },
  { argv: ['--simulate', '--key-file', '/no/such/file'], code: 'SERVE_KEY_FILE' },
  { argv: ['--simulate'], code: 'SERVE_KEY_FILE', env: { COINLAKE_SERVE_KEY: '' } },
  { argv: ['--warehouse', '/no/such/place'], code: 'WAREHOUSE_NOT_FOUND' },
  { argv: ['--recordings', '/no/such/place'], code: 'RECORDINGS_NOT_FOUND' },
  { argv: ['--recordings', '.', '--clock', 'frozen'], code: 'SERVE_OPTION' },
  { argv: [...TINY, '--host', '0.0.0.0'], code: 'SERVICE_NEEDS_KEY' },
  { argv: ['--simulate', '--tls-cert', 'c.pem'], code: 'SERVE_OPTION' },
  { argv: [...TINY, '--tls-cert', 'no.pem', '--tls-key', 'no.pem'], code: 'SERVICE_TLS' },
  { argv: [...TINY, '--tls-cert', 'bad.pem', '--tls-key', 'bad.pem'], code: 'SERVICE_TLS' },
  { argv: ['--simulate', '--profile', 'coingecko'], code: 'SERVE_OPTION' },
  { argv: ['--simulate', '--keys', 'none.json'], code: 'KEYS_FILE' },
])('$argv: $code', async ({ argv, code, env = {} }) => {
  await writeFile(join(dir, 'bad.pem'), 'no certificate')
  const words = ['serve', '--port', '0', ...argv]
  const { exitCode, stdout, stderr } = await runCaptured(words, { env, cwd: dir })
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' })
  expect(stderr).toContain(`error[${code}]`)
})
