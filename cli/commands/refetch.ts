import { ConfigError } from '../../config/config-error.ts'
import type { CliCommand } from '../command.ts'
import { exportCommand } from './backfill.ts'
import { addConfigOption, addLogOption, addWantedOptions } from './config-options.ts'

export const refetch: CliCommand = {
  name: 'refetch',
  group: 'Maintain',
  summary: 'fetch a stretch of history again; changed values are kept as revisions',
  examples: {
    'coinlake refetch --from 2024-03-01 --to 2024-04-01 --coins bitcoin':
      'one month of one coin in every history of the file; `coinlake revisions` shows what changed',
    'coinlake refetch --from 2024-03-01 --to 2024-03-08 --dataset market_chart --json':
      'a week of one dataset; prints the run report as JSON',
  },
  configure(command) {
    const to = 'end of histories, exclusive, UTC'
    addLogOption(addWantedOptions(addConfigOption(command), { to })).option(
      '--json',
      'print the run report as one JSON document on stdout',
    )
  },
  async run(effects, _args, options) {
    for (const flag of ['from', 'to'] as const) {
      if (typeof options[flag] === 'string') continue
      throw new ConfigError(`refetch needs --${flag}`, {
        code: 'USAGE',
        hint: 'A refetch fetches everything between --from and --to, and needs both.',
      })
    }
    return await exportCommand(effects, options, 'refetch')
  },
}
