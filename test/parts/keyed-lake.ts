import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RunReport } from '../../activities/run-report.ts'
import { createKeyRing } from '../../service/callers/key-ring.ts'
import type { QuotaOptions } from '../../service/callers/quotas.ts'
import { filesUnder } from './files-under.ts'
import { openMarketFolder } from './market-lake.ts'
import type { Served } from './serve-source.ts'
import type { WarehouseFolder } from './warehouse-folder.ts'

export interface KeyedLakeOptions {
  coins: number
  /** Texts of the keys that the service accepts. */
  keys: readonly string[]
  /** Of each key. */
  quota?: QuotaOptions
  /** Told of each request before it is answered; false refuses its key. */
  admits?: (key: string, count: number) => boolean
}

/** A service that counts by key, and a warehouse that is filled from it by command lines. */
export interface KeyedLake extends Pick<Served, 'log'>, Pick<WarehouseFolder, 'run'> {
  /** Requests by key, refused ones as well. */
  countOf(key: string): number
  /** Writes coinlake.yaml: these keys of `source`, and a daily chart of all coins. */
  configure(sourceKeys: readonly string[]): void
  backfill(): Promise<{ exitCode: number; report: RunReport }>
  /** Files of the warehouse that hold a text. */
  filesWith(text: string): string[]
}

/** The environment names the n-th key KEY_0, KEY_1, ... */
export async function openKeyedLake(options: KeyedLakeOptions): Promise<KeyedLake> {
  const { coins, quota = null } = options
  const counts = new Map<string, number>()
  // A key of this lake alone: the budget would know the calls of another test's service that had this port.
  const end = `-${randomUUID()}`
  const ring = createKeyRing(options.keys.map((key) => key + end))
  const identify: typeof ring.identify = (text) => {
    const key = text.slice(0, -end.length)
    const count = (counts.get(key) ?? 0) + 1
    counts.set(key, count)
    return options.admits?.(key, count) === false ? null : ring.identify(text)
  }
  const env = Object.fromEntries(options.keys.map((key, index) => [`KEY_${index}`, key + end]))
  const { service, folder } = await openMarketFolder({ coins, quota, keys: { identify } }, () => ({
    env,
  }))
  const { log, url } = service
  const { paths, configure, run } = folder
  return {
    log,
    run,
    countOf: (key) => counts.get(key) ?? 0,
    configure: (sourceKeys) =>
      configure({
        source: [`base_url: "${url}"`, ...sourceKeys],
        datasets: [
          `market_chart: { coins: top:${coins}, granularity: daily, from: 2024-03-20, to: 2024-04-01 }`,
        ],
      }),
    backfill: async () => {
      const { exitCode, stdout } = await run('backfill', '--json')
      return { exitCode, report: JSON.parse(stdout) as RunReport }
    },
    filesWith: (text) =>
      filesUnder(paths.root).filter((file) => readFileSync(join(paths.root, file)).includes(text)),
  }
}
