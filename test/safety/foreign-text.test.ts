import { readdirSync, readFileSync } from 'node:fs'
import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { expect, test } from 'vitest'
import { commands } from '../../cli/commands/index.ts'
import { datasets } from '../../datasets/index.ts'
import { createMarket } from '../../service/market/market.ts'
import { cacheEnv } from '../parts/cli-process.ts'
import { type Captured, type CaptureOptions, runCaptured } from '../parts/run-captured.ts'
import { movableClock } from '../parts/proof-warehouse.ts'
import { serveInTest } from '../parts/serve-source.ts'
import { holdMarket } from '../parts/held-market.ts'
import { orderLine } from '../proof/market-orders.ts'
import { HOSTILE, MARK, OBEYED, REFUSED, startHostileProxy } from './hostile-texts.ts'
import { openWarehouseFolder } from '../parts/warehouse-folder.ts'
import { APRIL_MARKET, APRIL_MS } from '../parts/market-warehouse.ts'
import { inDuckdb } from '../parts/duckdb.ts'

/** Some fifty commands, one after the other: two minutes on a machine that has nothing else to do. */
const SPEC = { ...APRIL_MARKET, coins: 3 }
const SQL = 'select coin_id, symbol, name from coins order by all'
/** No shell can pass a NUL. */
const WITHOUT_NUL = MARK.replaceAll('\u0000', '')
/** As people see a mark. */
const SHOWN = '\\u202egnp.exe'

/** How a command is run: its words, and what stands in its output as proof that it met a hostile text. */
interface Run {
  words: readonly string[]
  /** Shows a text of the source, escaped. */
  shows?: boolean
  /** Goes on until Ctrl-C, once it has said this. */
  until?: string
  options?: CaptureOptions
}

const TERMINAL: CaptureOptions = { isTerminal: true }

/** Every command; of one that shows none of its texts, that it says nothing raw either. */
const RUNS: Readonly<Record<string, readonly Run[]>> = {
  get: [{ words: ['get', 'coins', '--yes'], shows: true, options: TERMINAL }],
  // Its market is its own: no word of a source comes in.
  demo: [{ words: ['demo', '--help'] }],
  completion: [{ words: ['completion', 'bash'] }],
  runs: [{ words: ['runs'] }, { words: ['runs', '--json'] }],
  tables: [{ words: ['tables'] }, { words: ['tables', '--json'] }],
  init: [{ words: ['init', '--yes', '--force', '-o', '-', '--queries', `x${HOSTILE.override}`] }],
  config: [{ words: ['config', 'show'] }, { words: ['config', 'check', '--json'] }],
  doctor: [{ words: ['doctor'] }, { words: ['doctor', '--json'] }],
  plan: [{ words: ['plan'] }, { words: ['plan', '--json'] }],
  backfill: [
    { words: ['backfill'], shows: true },
    { words: ['backfill', '--dataset', 'market_chart', '--log', 'json', '--json'], shows: true },
  ],
  pause: [{ words: ['pause'] }],
  resume: [{ words: ['resume', '--json'] }],
  cancel: [{ words: ['cancel'] }],
  schedule: [
    { words: ['schedule', 'apply'] },
    { words: ['schedule', 'pause', '--all', '--note', MARK] },
    { words: ['schedule', 'list'], shows: true },
    { words: ['schedule', 'list', '--json'], shows: true },
    { words: ['schedule', 'delete', '--all'] },
  ],
  status: [
    { words: ['status'], shows: true },
    { words: ['status', '--json'], shows: true },
  ],
  gaps: [{ words: ['gaps', '--limit', '500'] }, { words: ['gaps', '--json'], shows: true }],
  revisions: [
    { words: ['revisions'], shows: true },
    { words: ['revisions', '--json'], shows: true },
  ],
  report: [
    { words: ['report', '-o', '-'], shows: true },
    { words: ['report', '--json'], shows: true },
  ],
  query: [
    { words: ['query', SQL], options: TERMINAL, shows: true },
    { words: ['query', '-f', 'table', SQL], shows: true },
    { words: ['query', '-f', 'csv', SQL], options: TERMINAL, shows: true },
    { words: ['query', '-f', 'json', SQL], options: TERMINAL, shows: true },
    {
      words: ['query', `explain ${SQL.replace('order', `where name = '${WITHOUT_NUL}' order`)}`],
      options: TERMINAL,
    },
    {
      words: ['query', `select * from no_such_table where name = '${WITHOUT_NUL}'`],
      shows: true,
    },
  ],
  datasets: [
    { words: ['datasets'] },
    { words: ['datasets', 'coins', '--json'] },
    { words: ['datasets', WITHOUT_NUL], shows: true },
  ],
  dbt: [{ words: ['dbt', 'sources'] }],
  verify: [{ words: ['verify'], shows: true }],
  refetch: [
    {
      words: ['refetch', '--dataset', 'market_chart', '--from', '2024-04-01', '--to', '2024-04-03'],
    },
  ],
  quarantine: [
    { words: ['quarantine', 'list'], shows: true },
    { words: ['quarantine', 'show', '--all'], shows: true },
    { words: ['quarantine', 'list', '--json'], shows: true },
    { words: ['quarantine', 'drop', WITHOUT_NUL], shows: true },
    { words: ['quarantine', 'replay', '--all'] },
  ],
  backup: [{ words: ['backup', '../backup'] }],
  restore: [{ words: ['restore'] }],
  prune: [{ words: ['prune', '--dry-run'] }],
  openapi: [{ words: ['openapi'] }],
  serve: [
    {
      words: ['serve', '--simulate', '--preset', 'tiny', '--port', '0', '--log', '-'],
      until: 'Ctrl-C stops',
    },
  ],
  keys: [{ words: ['keys', 'create', HOSTILE.override] }, { words: ['keys', 'list'] }],
  worker: [{ words: ['worker'], until: 'working on' }],
  server: [{ words: ['server'], until: 'Ctrl-C releases it' }],
}

test('each command has its run here', () => {
  expect(Object.keys(RUNS).toSorted()).toEqual(commands.map(({ name }) => name).toSorted())
})

test('what a source says reaches terminal, log, page and alert, and none of it is obeyed', async () => {
  const clock = movableClock(APRIL_MS)
  const market = await holdMarket(SPEC, clock)
  const proxy = await startHostileProxy((await serveInTest(market.source)).url)
  const place = openWarehouseFolder({
    clock,
    env: { COINLAKE_API_KEY: 'a-key', COINLAKE_BASE_URL: proxy.url, NO_COLOR: '1' },
  })
  const { dir, paths } = place
  const env = { ...cacheEnv(), ...place.env }
  const described = createMarket(SPEC)
  // Series hold numbers alone: one is enough for what fails.
  const orders = datasets
    .filter(({ name, granularities }) => granularities.length === 0 && name !== 'coin_tickers')
    .map((dataset) => {
      const isDated = dataset.kind === 'dated'
      return orderLine(dataset, described, isDated ? { granularity: '', days: 1 } : undefined)
    })
  const refused = JSON.stringify(Object.values(REFUSED))
  place.configure({
    source: [`base_url: "${proxy.url}"`, 'api_key: "${COINLAKE_API_KEY}"'],
    more: [
      'log: { level: debug }',
      `alerts: { command: [/bin/sh, -c, "cat >> ${join(dir, 'alerts')}; echo >> ${join(dir, 'alerts')}"], on: [partial, failed] }`,
      'schedules: { hourly: { every: 1h } }',
    ],
    datasets: [
      `market_chart: { coins: ${refused}, granularity: daily, from: 2024-04-01 }`,
      'coin_tickers: { coins: "top:2" }',
      ...orders,
    ],
  })
  const raw: string[] = []
  const blind: string[] = []
  const look = async (run: Run): Promise<void> => {
    const name = run.words.join(' ').slice(0, 60)
    const { stdout, stderr } = await untilSaid(run, { env, cwd: dir, clock, ...run.options })
    const text = `${stdout}\n${stderr}`
    // A page has lines of its own wherever it likes, and its own way to be forged.
    const forged = stdout.startsWith('<!doctype') ? /<script/ : /^error\[FORGED/m
    if (OBEYED.test(text) || forged.test(text)) raw.push(`${name}: ${rawPart(text)}`)
    if (run.shows === true && !text.includes(SHOWN)) blind.push(`${name}: ${text.slice(-2_000)}`)
  }
  for (const run of RUNS['backfill']!) await look(run)
  await damage(paths.storeFile)
  for (const { name } of commands) {
    if (name === 'backfill') continue
    if (name === 'restore') await rename(paths.storeFile, join(dir, 'store-of-before'))
    for (const run of RUNS[name]!) await look(run)
  }
  proxy.refuse(401)
  await look({ words: ['backfill'], shows: true })
  await look({ words: ['doctor'], shows: true })

  expect(raw).toEqual([])
  expect(blind).toEqual([])
  const logs = readdirSync(paths.logsDir).map((file) =>
    readFileSync(join(paths.logsDir, file), 'utf8'),
  )
  expect(logs.join('').includes(SHOWN)).toBe(true)
  expect(logs.filter((text) => OBEYED.test(text))).toEqual([])
  const alerts = readFileSync(join(dir, 'alerts'), 'utf8')
  expect(alerts).toContain(SHOWN)
  expect(alerts).not.toMatch(OBEYED)
  const texts = alerts
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { text: string }).text)
  expect(texts.filter((text) => /[<>[\]`|&@]/.test(text))).toEqual([])
})

/** Runs it; one that goes on for ever is asked for a hostile name, if it serves, and gets its Ctrl-C then. */
async function untilSaid({ words, until }: Run, options: CaptureOptions): Promise<Captured> {
  if (until === undefined) return await runCaptured(words, options)
  const before = process.listeners('SIGINT')
  let stderr = ''
  const listen = new Writable({
    write(chunk: Buffer | string, _encoding, done) {
      stderr += String(chunk)
      done()
    },
  })
  const running = runCaptured(words, { ...options, stderr: listen })
  await Promise.race([running, expect.poll(() => stderr, { timeout: 60_000 }).toContain(until)])
  const url = /curl '(http:[^/]*\/\/[^/]+)/.exec(stderr)?.[1]
  if (url !== undefined) await fetch(`${url}/v2/coins/${encodeURIComponent(MARK.toWellFormed())}`)
  for (const listener of process.listeners('SIGINT')) {
    if (!before.includes(listener)) listener('SIGINT')
  }
  return { ...(await running), stderr }
}

/** The first thing that is obeyed, with what stands around it. */
function rawPart(text: string): string {
  const at = text.search(OBEYED)
  return JSON.stringify(at === -1 ? '' : text.slice(Math.max(0, at - 80), at + 20))
}

/** Changes that others make to a store, so that `verify` and `revisions` have something to show. */
async function damage(storeFile: string): Promise<void> {
  await inDuckdb(storeFile, async (connection) => {
    await connection.run("DELETE FROM coin_tickers WHERE coin_id LIKE '%gnp.exe%'")
    await connection.run(
      `INSERT INTO _revisions BY NAME SELECT 'coins' AS table_name, $key AS key, $before AS before,
         $before AS after, now() AS first_seen_at, now() AS replaced_at, 1 AS old_load_id, 1 AS new_load_id`,
      {
        key: JSON.stringify({ coin_id: MARK.toWellFormed() }),
        before: JSON.stringify({ name: MARK.toWellFormed() }),
      },
    )
  })
}
