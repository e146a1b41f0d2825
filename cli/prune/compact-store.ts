import type { Clock } from '../../config/clock.ts'
import { ConfigError } from '../../config/config-error.ts'
import type { Config } from '../../config/config.ts'
import { pathsOf } from '../../config/warehouse-paths.ts'
import { datasets } from '../../datasets/index.ts'
import type { CompactReport } from '../../sinks/duckdb-store/lake/compact-lake.ts'
import { openStore } from '../../sinks/duckdb-store/open-store.ts'
import { coinlakeVersion } from '../version.ts'

/** Makes the many small files of a lake few. @throws ConfigError COMPACT_NO_LAKE; SinkError */
export async function compactStore(config: Config, clock: Clock): Promise<CompactReport | null> {
  const { lake } = pathsOf(config)
  if (lake === null) {
    throw new ConfigError('--compact is for a lake, and the store is a DuckDB file', {
      code: 'COMPACT_NO_LAKE',
      hint: 'Leave it out: DuckDB reuses the room in its file by itself.',
    })
  }
  const tables = datasets.flatMap((dataset) => dataset.tables)
  const store = await openStore({ file: lake, tables, datasets, coinlakeVersion, clock })
  try {
    return await store.compact()
  } finally {
    await store.close()
  }
}
