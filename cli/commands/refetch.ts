import { ConfigError } from '../../config/config-error.ts'
import type { CliCommand } from '../command.ts'
import { exportCommand } from './backfill.ts'
import { addConfigOption, addLogOption, addWantedOptions } from './config-options.ts'

/** Asks again on purpose for a stretch of history that is there; changed values go to `_revisions`. */
export const refetch: CliCommand = {
  name: 'refetch',
  group: 'Maintain',
  summary: 'ask again on purpose for a stretch of history; changed values are kept as revisions',
  examples: {
    'coinlake refetch --from 2024-03-01 --to 2024-04-01 --coins bitcoin':
      'one month of one coin in every history of the file; `coinlake revisions` shows what changed',
    'coinlake refetch --from 2024-03-01 --to 2024-03-08 --dataset market_chart --json':
      'a week of one dataset; the run report as JSON, its exit code as that of backfill',
  },
  configure(command) {
    addLogOption(addWantedOptions(addConfigOption(command))).option(
      '--json',
      'print the run report as one JSON document on stdout',
    )
  },
  async run(effects, _args, options) {
    for (const flag of ['from', 'to'] as const) {
      if (typeof options[flag] === 'string') continue
      throw new ConfigError(`refetch needs --${flag}`, {
        code: 'USAGE',
        hint: 'It asks for everything between --from and --to again, so both are to be said.',
      })
    }
    return await exportCommand(effects, options, { verb: 'refetch' })
  },
}
