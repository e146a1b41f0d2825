import type { BucketConfig } from './bucket.ts'
import type { CoinSelector } from './coin-selector.ts'
import type { ConfigGranularity } from './dataset-shape.ts'
import type { LakeConfig } from './lake.ts'
import type { Profile, Rate } from './profiles.ts'
import type { ScheduleConfig } from './schedule.ts'
import type { Secret } from './secret.ts'
import type { WatchingConfig } from './watching.ts'

/** Coins by id, or by a selector. */
export type CoinChoice = { ids: readonly string[] } | CoinSelector

/** One block of what is wanted of a dataset, as file, flags and defaults say it. Times are epoch milliseconds UTC. */
export interface DatasetOrder {
  dataset: string
  /** Tells the orders of a dataset apart (`market_chart/hourly`); null = the only one, and nobody named it. */
  name: string | null
  /** What asked for it: `coinlake.yaml:6` or `flag --dataset`. */
  origin: string
  /** null = not said: the whole market where that is possible. */
  coins: CoinChoice | null
  exchanges: readonly string[] | null
  /** `platform_id/contract_address`. */
  tokens: readonly string[] | null
  /** Texts to search for. */
  queries: readonly string[] | null
  /** Lower case; empty when the dataset has no currency. */
  vsCurrencies: readonly string[]
  /** '' when the dataset has none. */
  granularity: ConfigGranularity | ''
  /** Inclusive. null = not said. */
  fromMs: number | null
  /** Exclusive. null = up to now. */
  toMs: number | null
  /** Bucket of a snapshot or catalogue; 0 for histories. */
  everyMs: number
  /** Ids that are not asked for. */
  ignore: readonly string[]
}

export interface SourceConfig {
  profile: Profile
  /** Without trailing slash and without the profile's base path. */
  baseUrl: string
  /** Each with a rate and a month of its own; empty = none was found. */
  apiKeys: readonly Secret[]
  /** Why a key that was named is not there, e.g. `env COINLAKE_API_KEY is not set`; null otherwise. */
  keyMissing: string | null
  /** Of each key, said in the file or known of the profile; null = learned from headers. */
  rate: Rate | null
  /** Calls of each key in a UTC month; null = no ceiling is known. */
  monthlyCalls: number | null
  /** Calls of them that backfills leave alone; null = not said (config/monthly-reserve.ts). */
  monthlyReserve: number | null
  maxHistoryDays: number | null
  timeoutMs: number
  /** Largest body of an answer, decoded. */
  maxBodyBytes: number
  /** Absolute path of PEM certificates to trust beside the system's. */
  caFile: string | null
  concurrency: number
}

export type SinkName = 'duckdb' | 'parquet'

/** A value as `config show` prints it, and where it came from: `flag --from`, `coinlake.yaml:12`, `default`. */
export interface Setting {
  value: string
  origin: string
}

/** The whole configuration: checked, with nothing left to look up. */
export interface Config extends WatchingConfig {
  /** The file it came from, as it was given. */
  file: string
  source: SourceConfig
  /** Absolute. */
  warehouseDir: string
  sinks: readonly SinkName[]
  /** The store of several workers; null = a DuckDB file in the warehouse, for one. */
  lake: LakeConfig | null
  /** Where fetched pages go: an absolute folder or `s3://bucket/prefix`; null = in the warehouse. */
  stageAt: string | null
  /** How long raw pages stay after their load: milliseconds, or for ever, or not at all. */
  stageKeep: number | 'forever' | 'none'
  parquetVersion: 'v1' | 'v2'
  /** Where the Parquet publication goes instead of the warehouse. */
  parquetBucket: BucketConfig | null
  /** How often readers are shown what a run has loaded while it goes on; null = at its end only. */
  publishEveryMs: number | null
  /** In the order of the file; with `--dataset` only those. A dataset may have several. */
  datasets: readonly DatasetOrder[]
  /** Sentences for whoever gave the flags, such as what is asked for in this run only. */
  notes: readonly string[]
  /** By name; empty = none. */
  schedules: Readonly<Record<string, ScheduleConfig>>
  /** By path as the file spells it: `source.base_url`, `datasets.market_chart.from`. */
  settings: Readonly<Record<string, Setting>>
}
