import { presetFaults } from '../../service/faults/fault-presets.ts'
import { openLake, type Lake } from '../../test/parts/lake.ts'
import { marketCoins, serveMarket, type DayMarket } from '../../test/parts/day-market.ts'
import type { Served } from '../../test/parts/serve-source.ts'
import { positiveNumbers } from '../benchmark.ts'
import type { Benchmark, BenchContext, BenchFigures } from '../benchmark.ts'
import { runChaos, type ChaosRun } from './chaos-crowd.ts'
import { judgeChaos, type ChaosVerdict } from './chaos-verdict.ts'

/** Two histories of each coin, and two listings: 502 slices. */
const SIZE: DayMarket = { coins: 250, latencyMs: 50 }
/** So low that the work lasts as long as the kills. Headers tell the limit, so injected 429s do not lower the rate. */
const QUOTA = { calls: 13, perMs: 10_000 }
const DEFAULT_SEED = 1
const DEFAULT_MINUTES = 10

export const chaos: Benchmark = {
  name: 'chaos',
  measures: 'an export under the faults of `harsh` while all of its processes are killed at random',
  args: '[seed [minutes]]',
  takes: '12 min',
  run: measureChaos,
}

/** Only the slices that the service always spoils may be missing. All other rows must equal an undisturbed export's. */
async function measureChaos({ args, print }: BenchContext): Promise<BenchFigures> {
  const [seed = DEFAULT_SEED, minutes = DEFAULT_MINUTES] = positiveNumbers(args, 2)
  const calm = await serveMarket(SIZE)
  const harsh = await serveMarket({ ...SIZE, quota: QUOTA, faults: presetFaults('harsh', seed) })
  const undisturbed = lakeOf(calm)
  const lake = lakeOf(harsh)
  const helper = lakeOf(harsh, lake.engineDir)
  try {
    const calmRun = undisturbed.start(['backfill', '--json'])
    const run = await runChaos({ lake, helper }, { seed, forMs: minutes * 60_000 }, print)
    const { code, stderr } = await calmRun.ended
    if (code !== 0) throw new Error(`the undisturbed export ended with ${code}: ${stderr}`)
    const requests = harsh.log
    const verdict = await judgeChaos(undisturbed.paths.storeFile, lake.paths.storeFile, requests)
    const traces = [...(await lake.traces()), ...(await helper.traces())]

    // While a command holds the store, each worker ends at once, with one message, and is started again.
    for (const [end, times] of Map.groupBy(run.earlierEnds, (line) => line)) {
      print(`ended early, ${times.length} times: ${end}`)
    }
    print(`spoilt for good: ${verdict.spoilt.join(', ')}`)
    print(`quarantined: ${verdict.quarantined.join(', ')}`)
    for (const trace of traces) print(`left behind: ${trace}`)
    const isEqual =
      verdict.quarantined.join() === verdict.spoilt.join() &&
      verdict.rowsMissing + verdict.rowsTooMany + traces.length === 0 &&
      run.report.verdict === (verdict.spoilt.length > 0 ? 'partial' : 'complete')
    return {
      scenario: `Seed ${seed}, ${minutes} minutes of kills`,
      tables: chaosTables(run, verdict, requests.length),
      ...(!isEqual && { failure: 'not equal to the undisturbed export' }),
    }
  } finally {
    await helper.remove()
    await lake.remove()
    await undisturbed.remove()
    await harsh.close()
    await calm.close()
  }
}

function chaosTables({ report, kills, minutes }: ChaosRun, verdict: ChaosVerdict, calls: number) {
  const columns = [{ name: '' }]
  const killed = Object.entries(kills).map(([name, times]) => ({ name, cells: [times] }))
  const rows = [
    { name: 'verdict', cells: [report.verdict] },
    { name: 'slices', cells: [verdict.slices] },
    { name: '  spoilt for good by the service', cells: [verdict.spoilt.length] },
    { name: '  quarantined', cells: [verdict.quarantined.length] },
    { name: 'rows compared', cells: [verdict.rowsCompared] },
    { name: '  missing', cells: [{ value: verdict.rowsMissing, atMost: 0 }] },
    { name: '  too many', cells: [{ value: verdict.rowsTooMany, atMost: 0 }] },
    { name: 'calls', cells: [calls] },
    { name: 'time', unit: 'min', decimals: 1, cells: [minutes] },
  ]
  return [
    { columns, rows },
    { rowsAre: 'killed', columns, rows: killed },
  ]
}

function lakeOf({ url }: Served, engineDir: string | null = null): Lake {
  const coins = JSON.stringify(marketCoins(SIZE))
  const lines = [
    'coin_markets: { every: 1d }',
    'exchange_rates: { every: 1d }',
    `market_chart: { coins: ${coins}, granularity: hourly, from: 2024-03-28 }`,
    `ohlc: { coins: ${coins}, granularity: 4h, from: 2024-03-28 }`,
  ]
  return openLake(url, lines, { engineDir })
}
