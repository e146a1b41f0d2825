import { highWaterBytes, processCpuS, processStat } from './proc-stat.ts'
import { startSimulated } from './simulated-service.ts'
import { textTable } from './table.ts'

const MIB = 1024 * 1024
/** Coins whose answers are asked for, spread over the list. */
const COINS = 500

/** First answers of a coin: its rows are made for them. */
const FIRST_ANSWERS: readonly [what: string, path: (id: string) => string][] = [
  ['chart, days=max', (id) => `coins/${id}/market_chart?vs_currency=usd&days=max`],
  ['details', (id) => `coins/${id}`],
  ['candles, days=30', (id) => `coins/${id}/ohlc?vs_currency=usd&days=30`],
]

/** What the widest simulated market costs: to start, to keep, and at the first answer of a coin. */
export async function full(_folder: string, print: (line: string) => void): Promise<void> {
  const startedMs = performance.now()
  const service = await startSimulated('full')
  try {
    const startS = (performance.now() - startedMs) / 1000
    const cpuS = processCpuS(processStat(service.pid)!)
    print(`full: answers after ${startS.toFixed(1)} s, ${cpuS.toFixed(1)} s of CPU`)
    const ids = await coinIds(service.url)
    const lines = []
    for (const [what, path] of FIRST_ANSWERS) {
      const timesMs: number[] = []
      for (const id of ids) timesMs.push(await timed(`${service.url}/v2/${path(id)}`))
      timesMs.sort((a, b) => a - b)
      const at = (share: number): string =>
        (timesMs[Math.ceil(share * timesMs.length) - 1] ?? Number.NaN).toFixed(0)
      lines.push([what, String(timesMs.length), at(0.5), at(0.99)])
    }
    for (const line of textTable(['first answer of a coin', 'coins', 'p50 ms', 'p99 ms'], lines)) {
      print(line)
    }
    print(`peak memory ${(highWaterBytes(service.pid) / MIB).toFixed(0)} MiB`)
  } finally {
    await service.stop()
  }
}

/** Every few places of the list one, so that old and young coins are among them. */
async function coinIds(url: string): Promise<string[]> {
  const answer = await fetch(`${url}/v2/coins/list`)
  const all = ((await answer.json()) as { id: string }[]).map(({ id }) => id)
  const every = Math.floor(all.length / COINS)
  return all.filter((_, place) => place % every === 0).slice(0, COINS)
}

async function timed(url: string): Promise<number> {
  const startedMs = performance.now()
  const answer = await fetch(new URL(encodeURI(url)))
  if (!answer.ok) throw new Error(`GET ${url}: ${answer.status} ${await answer.text()}`)
  await answer.arrayBuffer()
  return performance.now() - startedMs
}
