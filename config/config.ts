import type { LakeConfig } from './lake.ts'
import type { DatasetOrder } from './settings/read-order.ts'
import type { ScheduleConfig } from './settings/read-schedules.ts'
import type { SourceConfig } from './settings/read-source.ts'
import type { WatchingConfig } from './settings/read-watching.ts'
import type { ShownValue } from './settings/setting-reader.ts'
import type { Values } from './settings/setting.ts'
import type { parquetRows, placeRows, publishRows, stageRows } from './settings/table.ts'

/** The whole configuration: checked, with nothing left to look up. Single values are as config/settings/table.ts has them. */
export interface Config extends Values<typeof placeRows>, WatchingConfig {
  /** The file it came from, as it was given. */
  file: string
  source: SourceConfig
  /** The store of several workers; null = a DuckDB file in the warehouse, for one. */
  lake: LakeConfig | null
  stage: Values<typeof stageRows>
  publish: Values<typeof publishRows>
  parquet: Values<typeof parquetRows>
  /** In the order of the file; with `--dataset` only those. A dataset may have several. */
  datasets: readonly DatasetOrder[]
  /** Notes on the flags, such as data that only this run fetches. */
  notes: readonly string[]
  /** By name; empty = none. */
  schedules: Readonly<Record<string, ScheduleConfig>>
  /** By path as the file spells it: `source.base_url`, `datasets.market_chart.from`. */
  settings: Readonly<Record<string, ShownValue>>
}

export type SinkName = Config['sinks'][number]
