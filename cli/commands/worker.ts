import type { CliCommand } from '../command.ts'
import { addConfigOption, addLogOption, configOf } from './config-options.ts'

export const worker: CliCommand = {
  name: 'worker',
  group: 'Serve',
  summary:
    'work on this warehouse until stopped: its schedules, and the runs that `backfill` hands over',
  examples: {
    'coinlake worker': 'works for ./coinlake.yaml until Ctrl-C',
    'TEMPORAL_ADDRESS=temporal:7233 coinlake worker -c prod.yaml':
      'works for a cluster instead of a server of its own',
  },
  configure(command) {
    addLogOption(addConfigOption(command))
  },
  async run(effects, _args, options) {
    const { runWorker } = await import('../run/run-worker.ts')
    await runWorker(effects, await configOf(effects, options))
  },
}
