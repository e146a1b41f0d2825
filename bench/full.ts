import type { Benchmark, BenchFigures } from './benchmark.ts'
import { figure } from './figure-table.ts'
import type { Row } from './figure-table.ts'
import { highWaterBytes, processCpuS, processStat } from './machine/proc-stat.ts'
import { startSimulated } from './service/simulated-service.ts'

const MIB = 1024 * 1024
/** Coins whose answers are asked for, spread over the list. */
const COINS = 500

/** First answers of a coin: its rows are made for them. */
const FIRST_ANSWERS: readonly [what: string, path: (id: string) => string][] = [
  ['chart, days=max', (id) => `coins/${id}/market_chart?vs_currency=usd&days=max`],
  ['details', (id) => `coins/${id}`],
  ['candles, days=30', (id) => `coins/${id}/ohlc?vs_currency=usd&days=30`],
]

/** The cost of the widest simulated market: to start, to keep, and at the first answer of a coin. */
export const full: Benchmark = {
  name: 'full',
  measures: 'start, first answers and memory of the widest simulated market',
  args: '',
  takes: '2 min',
  run: measureFull,
}

async function measureFull(): Promise<BenchFigures> {
  const startedMs = performance.now()
  const service = await startSimulated('full')
  try {
    const startS = (performance.now() - startedMs) / 1000
    const cpuS = processCpuS(processStat(service.pid)!)
    const ids = await coinIds(service.url)
    const rows: Row[] = []
    for (const [what, path] of FIRST_ANSWERS) {
      const timesMs: number[] = []
      for (const id of ids) timesMs.push(await timed(`${service.url}/v2/${path(id)}`))
      timesMs.sort((a, b) => a - b)
      const at = (share: number): number | null =>
        figure(timesMs[Math.ceil(share * timesMs.length) - 1])
      rows.push({ name: what, cells: [timesMs.length, at(0.5), at(0.99)] })
    }
    const columns = [
      { name: 'coins' },
      { name: 'p50', unit: 'ms', decimals: 0 },
      { name: 'p99', unit: 'ms', decimals: 0 },
    ]
    const peakMib = highWaterBytes(service.pid) / MIB
    const whole = [
      { name: 'start to the first answer', unit: 's', decimals: 1, cells: [startS] },
      { name: 'CPU until then', unit: 's', decimals: 1, cells: [cpuS] },
      { name: 'peak memory', unit: 'MiB', decimals: 0, cells: [peakMib] },
    ]
    return {
      scenario: `The preset full, and the first answers of ${COINS} of its coins`,
      tables: [
        { title: '', rowsAre: '', columns: [{ name: '' }], rows: whole },
        { title: '', rowsAre: 'first answer of a coin', columns, rows },
      ],
    }
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
