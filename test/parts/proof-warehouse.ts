import type { RunReport } from '../../activities/run-report.ts'
import { createRenderer } from '../../cli/render/create-renderer.ts'
import { planExport, type PlannedExport } from '../../cli/run/plan-export.ts'
import { runExport } from '../../cli/run/run-export.ts'
import type { Clock } from '../../config/clock.ts'
import type { Config } from '../../config/config.ts'
import { loadConfig } from '../../config/load-config.ts'
import { datasets } from '../../datasets/index.ts'
import type { RequestEntry } from '../../service/request-log.ts'
import type { Served } from './serve-source.ts'
import { silentEffects } from './silent-effects.ts'
import { openWarehouseFolder, type WarehouseFolder } from './warehouse-folder.ts'

/** A clock that a test sets, shared by what serves and what exports. */
export interface MovableClock extends Clock {
  set(nowMs: number): void
}

export function movableClock(nowMs: number): MovableClock {
  let atMs = nowMs
  return {
    nowMs: () => atMs,
    set: (next) => {
      atMs = next
    },
  }
}

/** The report of one export, and the requests that the service saw meanwhile. */
export interface Exported {
  report: RunReport
  requests: RequestEntry[]
}

/** A warehouse in a folder of its own, filled from a served source by the very code of `coinlake backfill`. */
export interface Warehouse extends Pick<WarehouseFolder, 'configure' | 'dir' | 'paths' | 'run'> {
  /** Exports the datasets, given as lines of YAML without indentation. */
  export(datasetLines: readonly string[]): Promise<Exported>
  /** The plan that `coinlake plan` would print. */
  plan(datasetLines: readonly string[]): Promise<PlannedExport>
}

/** A warehouse that has no file yet, and none when the test has ended. */
export function openWarehouse(served: Pick<Served, 'url' | 'log'>, clock: Clock): Warehouse {
  const place = openWarehouseFolder({ clock, env: { COINLAKE_API_KEY: 'proof-key' } })
  const { dir, configFile: file, configure, env, paths, run } = place
  const effects = silentEffects({ env, cwd: dir, clock })
  const configOf = (datasetLines: readonly string[]): Config => {
    configure({
      source: [`base_url: "${served.url}"`, 'api_key: "${COINLAKE_API_KEY}"'],
      datasets: datasetLines,
    })
    return loadConfig({ file, env, datasets, cwd: dir })
  }
  return {
    configure,
    dir,
    paths,
    run,
    plan: (datasetLines) => planExport(effects, configOf(datasetLines)),
    export: async (datasetLines) => {
      const before = served.log.length
      const config = configOf(datasetLines)
      const renderer = await createRenderer(effects, { json: true })
      const never = new AbortController().signal
      const report = await runExport(
        effects,
        { config, kind: 'backfill', goOnWith: '' },
        renderer,
        never,
      )
      return { report, requests: served.log.slice(before) }
    },
  }
}
