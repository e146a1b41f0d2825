import type { Client } from '@temporalio/client'
import type { WarehousePaths } from '../../config/warehouse-paths.ts'
import { lookAtRuns } from './look-at-runs.ts'
import { watchProcess } from './watch-process.ts'
import type { ProcessWatch, WatchOptions } from './watch-process.ts'

/** The watch of a process that follows a run of another: once that one is dead, nobody else tells that the run stands still. */
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
