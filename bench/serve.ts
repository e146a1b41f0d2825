import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import autocannon from 'autocannon'
import type { Benchmark, BenchFigures } from './benchmark.ts'
import type { Row } from './figure-table.ts'
import { processStat } from './machine/proc-stat.ts'
import { BIN } from './own-engine.ts'

const REQUESTS = 10_000
const CONNECTIONS = 64
/** Number of equal parts of the load. Memory after each part shows whether it grows. */
const PARTS = 4
const MIB = 1024 * 1024

const START_TIMEOUT_MS = 300_000

/** The requests of an application's page: some cheap, some costly. */
const PATHS = [
  '/v2/ping',
  '/v2/simple/price?ids=bitcoin,ethereum,solana&vs_currencies=usd,eur',
  '/v2/coins/markets?vs_currency=usd&per_page=100',
  '/v2/coins/markets?vs_currency=eur&order=volume_desc&per_page=25',
  '/v2/coins/bitcoin',
  '/v2/coins/ethereum/market_chart?vs_currency=usd&days=30',
  '/v2/coins/bitcoin/market_chart?vs_currency=usd&days=365',
  '/v2/coins/bitcoin/ohlc?vs_currency=usd&days=30',
  '/v2/coins/list',
  '/v2/coins/categories',
  '/v2/exchanges?per_page=50',
  '/v2/exchanges/binance/tickers',
  '/v2/exchange_rates',
  '/v2/derivatives/exchanges',
  '/v2/search/trending',
  '/v2/global',
]

export const serve: Benchmark = {
  name: 'serve',
  measures: 'requests a second and memory of `coinlake serve` with the demo market',
  args: '',
  takes: '15 s',
  run: measureServe,
}

async function measureServe(): Promise<BenchFigures> {
  const service = await startSimulated()
  try {
    const { url, pid } = service
    const rssMiB = (): number => (processStat(pid)?.rssBytes ?? 0) / MIB
    // One request each before: compilation and first reads are not measured.
    for (const path of PATHS) await (await fetch(`${url}${path}`)).arrayBuffer()
    const rows: Row[] = []
    for (let part = 1; part <= PARTS; part++) {
      const { requests, latency, errors, timeouts, non2xx, duration } = await autocannon({
        url,
        connections: CONNECTIONS,
        amount: REQUESTS / PARTS,
        requests: PATHS.map((path) => ({ path, headers: { 'accept-encoding': 'gzip' } })),
      })
      const failed = errors + timeouts + non2xx
      rows.push({
        name: String((part * REQUESTS) / PARTS),
        cells: [requests.total / duration, latency.p50, latency.p99, failed, rssMiB()],
      })
    }
    const columns = [
      { name: 'per second', decimals: 0 },
      { name: 'p50', unit: 'ms', decimals: 0 },
      { name: 'p99', unit: 'ms', decimals: 0 },
      { name: 'failed', decimals: 0 },
      { name: 'memory', unit: 'MiB', decimals: 0 },
    ]
    return {
      scenario: `${REQUESTS} requests at ${CONNECTIONS} connections, ${PATHS.length} kinds in turn`,
      tables: [{ rowsAre: 'requests', columns, rows }],
    }
  } finally {
    await service.stop()
  }
}

/** Starts `coinlake serve --simulate`, and waits until it answers. No key, no quota; the data stand at one moment. */
async function startSimulated() {
  const args = ['serve', '--simulate', '--preset', 'demo', '--clock', 'frozen', '--port', '0']
  const service = spawn(process.execPath, [BIN, ...args], { stdio: ['ignore', 'pipe', 'ignore'] })
  const stop = async (): Promise<void> => {
    service.kill('SIGTERM')
    if (service.exitCode === null) await once(service, 'exit')
  }
  try {
    // The service's first line has the address.
    const signal = AbortSignal.timeout(START_TIMEOUT_MS)
    const [url] = (await once(createInterface(service.stdout), 'line', { signal })) as [string]
    return { url, pid: service.pid ?? 0, stop }
  } catch (error) {
    await stop()
    throw error
  }
}
