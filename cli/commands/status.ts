import { EXIT } from '../../config/coinlake-error.ts'
import type { CliCommand } from '../command.ts'
import { print } from '../effects.ts'
import { withOpen } from '../run/closing-after.ts'
import type { WarehouseState } from '../status/warehouse-state.ts'
import { addConfigOption, configOf } from './config-options.ts'

/** Age from which the state is read again. Reading opens a publication and counts files. */
const STATE_EVERY_MS = 5_000

export const status: CliCommand = {
  name: 'status',
  group: 'Look',
  summary: 'show the open or last run: progress, calls, time left',
  examples: {
    'coinlake status': 'one look at the open run, or the last one',
    'coinlake status --watch': 'looks every second until the run ends',
    'coinlake status --check':
      'exit code 3 when a dataset is older than `freshness:` allows, or has no data',
  },
  configure(command) {
    addConfigOption(command)
      .option('--watch', 'look again every second until the run ends')
      .option(
        '--check',
        'exit code 3 when data are stale or missing, a publication is gone, or a run is stalled or has no worker',
      )
      .option('--json', 'print as JSON; with --watch a document each second')
  },
  async run(effects, _args, options) {
    const { findClient } = await import('../run/connect-client.ts')
    const { stopSignal } = await import('../run/stop-signal.ts')
    const { showLastRun, showOpenRun } = await import('../status/show-run.ts')
    const config = await configOf(effects, options)
    const isJson = options['json'] === true
    const stop = stopSignal(effects)
    const { stateLines } = await import('../status/state-lines.ts')
    const { warehouseState } = await import('../status/warehouse-state.ts')
    const { failsCheck } = await import('../freshness/freshness-facts.ts')
    const isWatching = options['watch'] === true
    let state: WarehouseState | null = null
    let lookedAtMs = 0
    const readState = async (): Promise<WarehouseState> => {
      if (state === null || performance.now() - lookedAtMs >= STATE_EVERY_MS) {
        state = await warehouseState(config, effects.clock)
        lookedAtMs = performance.now()
      }
      return state
    }
    const how = { isJson, isWatching, readState }
    const run = await withOpen(findClient(effects), async (connected) => {
      const client = connected?.client ?? null
      const open = client && (await showOpenRun(effects, client, config, how, stop))
      if (open !== null) return open
      state = null
      await showLastRun(effects, config, client, isJson ? await readState() : null)
      return null
    })
    const now = await readState()
    const isCheck = options['check'] === true
    if (!isJson) print(effects, stateLines(now, isCheck))
    if (stop.aborted) return EXIT.interrupted
    const isThere = now.gone.length === 0 && now.unreadable === null
    const isMoving = run !== 'unattended' && now.stalled.length === 0
    const isFit = isThere && isMoving && !now.freshness.some(failsCheck)
    return isCheck && !isFit ? EXIT.gaps : EXIT.complete
  },
}
