import { DAY_MS } from '../../config/values/duration.ts'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { operations } from '../../api/operations.ts'
import { createService } from '../../service/app.ts'
import { MARKET_PRESETS } from '../../service/market/market-spec.ts'
import { startService } from '../../service/serve-http.ts'
import { createSimulatedSource } from '../../service/simulated/simulated-source.ts'
import { frozenClock } from '../../config/clock.ts'
import { EXIT, type ExitCode } from '../../config/coinlake-error.ts'
import { datasets } from '../../datasets/index.ts'
import { loadConfig } from '../../config/load-config.ts'
import { pathsOf, type WarehousePaths } from '../../config/warehouse-paths.ts'
import { runToEnd } from '../commands/backfill.ts'
import { print, say, type Effects } from '../effects.ts'
import { openPublished } from '../query/open-published.ts'
import { closingAfter, withOpen } from '../run/closing-after.ts'
import { answer } from './answer.ts'
import { demoQuestions } from './questions.ts'

const SETTLED_MS = 3_600_000
const SEED = 7
/** The limit shows the budget at work, and leaves the run short. */
const QUOTA = { calls: 3000, perMs: 60_000 }
/** The source has candles of four hours for 30 days. */
const CANDLE_DAYS = 29
/** The demo's Temporal server ends soon after the demo. */
const SERVER_GRACE_MS = '1000'

/**
 * A simulated /v2 service on loopback, a backfill of it into ./demo, four answers. Everything is real but
 * the market: Temporal, sockets, DuckDB, Parquet. Run again, it makes no call.
 */
export async function runDemo(outside: Effects): Promise<ExitCode> {
  const home = join(outside.cwd, 'demo')
  mkdirSync(home, { recursive: true })
  const nowMs = marketPresentMs(home)
  const effects = {
    ...outside,
    cwd: home,
    clock: frozenClock(nowMs),
    env: {
      ...outside.env,
      COINLAKE_ENGINE_DIR: join(home, 'engine'),
      COINLAKE_ENGINE_ISOLATED: '1',
      COINLAKE_ENGINE_GRACE_MS: SERVER_GRACE_MS,
    },
  }
  return closingAfter(async (defer) => {
    say(effects, 'making a simulated market ...')
    const source = createSimulatedSource({ ...MARKET_PRESETS.demo, seed: SEED, nowMs })
    const service = createService({
      source,
      operations: Object.values(operations),
      keys: null,
      quota: QUOTA,
    })
    const server = await startService(service, { port: 0 })
    defer(() => server.close())
    say(effects, `simulated market service on ${server.url}/v2 (seed ${SEED})`)
    const configFile = join(home, 'coinlake.yaml')
    writeFileSync(configFile, demoConfig(server.url, nowMs - 399 * DAY_MS, nowMs))
    const config = loadConfig({ file: configFile, env: effects.env, datasets, cwd: home })
    const asked = { kind: 'backfill', goOnWith: 'coinlake demo' } as const
    const exitCode = await runToEnd(effects, config, asked)
    if (exitCode === EXIT.interrupted) return exitCode
    await showAnswers(effects, pathsOf(config))
    for (const line of nextSteps(relative(outside.cwd, config.warehouseDir))) say(effects, line)
    return exitCode
  })
}

/** The demo's coinlake.yaml: a few datasets, small enough for a minute. */
function demoConfig(baseUrl: string, fromMs: number, toMs: number): string {
  const [from, to, candlesFrom] = [fromMs, toMs, toMs - CANDLE_DAYS * DAY_MS].map((ms) =>
    new Date(ms).toISOString().slice(0, 10),
  )
  return `# Written by \`coinlake demo\`; the service at base_url lives only while the demo runs, and the
# clock of its market stands still: histories end there.
source: { profile: interface, base_url: "${baseUrl}" }
warehouse: ./warehouse
sinks: [duckdb, parquet]
datasets:
  coins: { every: 1d }
  coin_markets: { vs_currencies: [usd, eur], every: 1d }
  market_chart: { coins: "top:30", vs_currencies: [usd], granularity: daily, from: ${from}, to: ${to} }
  ohlc: { coins: [bitcoin, ethereum], vs_currencies: [usd], granularity: 4h, from: ${candlesFrom}, to: ${to} }
  exchanges: { every: 1d }
  exchange_tickers: { exchanges: [binance, gdax, kraken, bitstamp, bitfinex], every: 1d }
  exchange_rates: { every: 1d }
`
}

async function showAnswers(effects: Effects, paths: WarehousePaths): Promise<void> {
  const indented = (lines: string[]): string[] => lines.map((line) => `   ${line}`)
  await withOpen(openPublished(paths, 'UTC'), async ({ connection }) => {
    for (const question of demoQuestions) {
      const { title, sql } = question
      print(effects, ['', `── ${title}`, ...indented(sql.split('\n')), ''])
      print(effects, indented(await answer(connection, question)))
    }
  })
}

/** The market's present: 01:00 UTC before the first run, when the last day is settled. Later runs keep it. */
function marketPresentMs(home: string): number {
  const file = join(home, 'present.txt')
  if (!existsSync(file)) {
    const dayMs = Math.floor((Date.now() - SETTLED_MS) / DAY_MS) * DAY_MS
    writeFileSync(file, `${new Date(dayMs + SETTLED_MS).toISOString()}\n`)
  }
  return Date.parse(readFileSync(file, 'utf8').trim())
}

function nextSteps(warehouse: string): string[] {
  return [
    '',
    `the warehouse   ${warehouse}/`,
    `  DuckDB        ${warehouse}/coinlake.duckdb   (open it read-only with any DuckDB from 1.0 on)`,
    `  Parquet       ${warehouse}/parquet/<table>/<month>.parquet`,
    `  configuration demo/coinlake.yaml`,
    'try next',
    '  npx coinlake demo                            again: complete, and not one call',
    '  npx coinlake query -c demo/coinlake.yaml "SELECT coin_id, as_of, price, market_cap FROM daily_prices LIMIT 5"',
    '  npx coinlake datasets market_chart           what the columns mean',
    '  npx coinlake init                            a configuration for a real service',
  ]
}
