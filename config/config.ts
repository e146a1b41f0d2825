import type { LakeConfig } from './lake.ts'
import type { DatasetOrder } from './settings/read-order.ts'
import type { ScheduleConfig } from './settings/read-schedules.ts'
import type { SourceConfig } from './settings/read-source.ts'
import type { WatchingConfig } from './settings/read-watching.ts'
import type { ShownValue } from './settings/setting-reader.ts'
import type { Values } from './settings/setting.ts'
import type { parquetRows, placeRows, publishRows, stageRows } from './settings/table.ts'

/** The whole configuration, checked. Single values are those of the rows in config/settings/table.ts. */
export interface Config extends Values<typeof placeRows>, WatchingConfig {
  /** The file of the configuration, as the user named it. */
  file: string
  source: SourceConfig
  /** The store of several workers; null = a DuckDB file in the warehouse, for one worker. */
  lake: LakeConfig | null
  stage: Values<typeof stageRows>
  publish: Values<typeof publishRows>
  parquet: Values<typeof parquetRows>
  /** The orders in the order of the file; with `--dataset` only the chosen ones. */
  datasets: readonly DatasetOrder[]
  /** Notes for the user, such as data that only this run fetches. */
  notes: readonly string[]
  /** The schedules by name; empty = none. */
  schedules: Readonly<Record<string, ScheduleConfig>>
  /** Every setting by its path in the file: `source.base_url`, `datasets.market_chart.from`. */
  settings: Readonly<Record<string, ShownValue>>
}

export type SinkName = Config['sinks'][number]
