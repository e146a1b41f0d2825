import autocannon from 'autocannon'
import { processStat } from './proc-stat.ts'
import { startSimulated } from './simulated-service.ts'
import { textTable } from './table.ts'

const REQUESTS = 10_000
const CONNECTIONS = 64
/** The load is given in so many equal parts, so that memory can be seen to stay or grow. */
const PARTS = 4
const MIB = 1024 * 1024

/** What a page of an application asks for: cheap and costly answers, most of them often. */
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

/** 10,000 requests at 64 connections against the served demo market, without a quota. */
export async function serve(_folder: string, print: (line: string) => void): Promise<void> {
  const service = await startSimulated('demo')
  try {
    const { url, pid } = service
    const rssMiB = (): number => (processStat(pid)?.rssBytes ?? 0) / MIB
    // Once each, so that neither compilation nor the first reading of a table is measured.
    for (const path of PATHS) await (await fetch(`${url}${path}`)).arrayBuffer()
    print(
      `serve: ${REQUESTS} requests at ${CONNECTIONS} connections, ${PATHS.length} kinds in turn`,
    )
    const lines: string[][] = []
    for (let part = 1; part <= PARTS; part++) {
      const { requests, latency, errors, timeouts, non2xx, duration } = await autocannon({
        url,
        connections: CONNECTIONS,
        amount: REQUESTS / PARTS,
        requests: PATHS.map((path) => ({ path, headers: { 'accept-encoding': 'gzip' } })),
      })
      lines.push([
        `${(part * REQUESTS) / PARTS}`,
        (requests.total / duration).toFixed(0),
        latency.p50.toFixed(0),
        latency.p99.toFixed(0),
        String(errors + timeouts + non2xx),
        rssMiB().toFixed(0),
      ])
    }
    const head = ['requests', 'per second', 'p50 ms', 'p99 ms', 'failed', 'memory MiB']
    for (const line of textTable(head, lines)) print(line)
  } finally {
    await service.stop()
  }
}
