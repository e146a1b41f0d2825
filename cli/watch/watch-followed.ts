import type { Client } from '@temporalio/client'
import type { WarehousePaths } from '../../config/warehouse-paths.ts'
import { lookAtRuns } from './look-at-runs.ts'
import { watchProcess, type ProcessWatch, type WatchOptions } from './watch-process.ts'

/** Watches a run of another process from here, because nobody else reports a stall after that process's death. */
export function watchFollowed(
  client: Client,
  paths: WarehousePaths,
  options: Pick<WatchOptions, 'config' | 'clock' | 'env' | 'log' | 'say'>,
): ProcessWatch {
  return watchProcess({
    ...options,
    warehouse: { paths, store: null },
    metrics: null,
    keys: () => [],
    runs: {
      findOpen: () => lookAtRuns(client, options.config),
      surroundings: () => Promise.resolve(null),
    },
  })
}
