import { presetFaults } from '../service/faults/fault-presets.ts'
import { openLake } from '../test/resume/lake.ts'
import type { Lake } from '../test/resume/lake.ts'
import { marketCoins, serveMarket } from '../test/resume/market-service.ts'
import type { MarketService, MarketSize } from '../test/resume/market-service.ts'
import { runChaos } from './chaos-crowd.ts'
import { judgeChaos } from './chaos-verdict.ts'

/** Two histories of each coin, and two listings: 502 slices. */
const SIZE: MarketSize = { coins: 250, latencyMs: 50 }
/** So low that the work lasts as long as the kills, and told: a refusal while calls are left teaches nothing then. */
const QUOTA = { calls: 30, perMs: 10_000, kind: 'fixed' } as const
const DEFAULT_SEED = 1
const DEFAULT_MINUTES = 10

/**
 * An export under the faults of `harsh` while worker, helper, command and Temporal server are killed at
 * random: it has to end with exactly the slices set aside that the service spoils for good, and with
 * every other row of an undisturbed export. Arguments after `chaos`: seed, minutes.
 */
export async function chaos(_folder: string, print: (line: string) => void): Promise<void> {
  const seed = Number(process.argv[3] ?? DEFAULT_SEED)
  const minutes = Number(process.argv[4] ?? DEFAULT_MINUTES)
  print(`seed ${seed}, ${minutes} minutes of kills`)
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
    const requests = harsh.requests()
    const verdict = await judgeChaos(undisturbed.paths.storeFile, lake.paths.storeFile, requests)
    const traces = [...(await lake.traces()), ...(await helper.traces())]

    const faults = Map.groupBy(
      requests.flatMap(({ injected }) => injected ?? []),
      (name) => name,
    )
    print(
      `calls ${requests.length}, faults met: ${[...faults].map(([name, all]) => `${all.length} ${name}`).join(', ')}`,
    )
    print(
      `killed in ${run.minutes.toFixed(1)} min: ${Object.entries(run.kills)
        .map(([who, n]) => `${n} ${who}`)
        .join(', ')}`,
    )
    for (const end of run.earlierEnds) print(`ended early: ${end}`)
    print(
      `${run.report.verdict}: ${verdict.slices} slices, spoilt for good: ${verdict.spoilt.join(', ')}`,
    )
    print(`set aside: ${verdict.setAside.join(', ')}`)
    print(
      `rows compared ${verdict.rowsCompared}, missing ${verdict.rowsMissing}, too many ${verdict.rowsTooMany}`,
    )
    for (const trace of traces) print(`left behind: ${trace}`)
    const isEqual =
      verdict.setAside.join() === verdict.spoilt.join() &&
      verdict.rowsMissing + verdict.rowsTooMany + traces.length === 0 &&
      run.report.verdict === (verdict.spoilt.length > 0 ? 'partial' : 'complete')
    print(isEqual ? 'equal but for what is spoilt for good' : 'NOT equal')
    if (!isEqual) process.exitCode = 1
  } finally {
    await helper.remove()
    await lake.remove()
    await undisturbed.remove()
    await harsh.close()
    await calm.close()
  }
}

function lakeOf({ url }: MarketService, engineDir?: string): Lake {
  const coins = JSON.stringify(marketCoins(SIZE))
  const lines = [
    'coin_markets: { every: 1d }',
    'exchange_rates: { every: 1d }',
    `market_chart: { coins: ${coins}, granularity: hourly, from: 2024-03-28 }`,
    `ohlc: { coins: ${coins}, granularity: 4h, from: 2024-03-28 }`,
  ]
  return openLake(url, lines, engineDir === undefined ? {} : { engineDir })
}
