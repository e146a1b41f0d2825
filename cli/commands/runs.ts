import { EXIT } from '../../config/coinlake-error.ts'
import type { CliCommand } from '../command.ts'
import { print, printJson } from '../effects.ts'
import { addConfigOption } from './config-options.ts'
import { wholeNumber } from './whole-number.ts'

const DEFAULT_LIMIT = 20

export const runs: CliCommand = {
  name: 'runs',
  group: 'Look',
  summary: 'list the runs: time, schedule, verdict, calls, rows',
  examples: {
    'coinlake runs': 'the newest 20 runs',
    'coinlake runs --limit 200 --json': 'more of them, as JSON',
  },
  configure(command) {
    addConfigOption(command)
      .option('--limit <n>', `show at most this many (default: ${DEFAULT_LIMIT})`)
      .option('--json', 'print as one JSON document')
  },
  async run(effects, _args, options) {
    const limit = wholeNumber('--limit', options['limit'], DEFAULT_LIMIT)
    const { readablePaths } = await import('../query/readable-paths.ts')
    const { withLedger } = await import('../ledger/open-ledger.ts')
    const { newestRuns, runsText } = await import('../look/runs.ts')
    const paths = await readablePaths(effects, options)
    const found = await withLedger(effects, paths, (ledger) => newestRuns(ledger, limit))
    if (options['json'] === true) printJson(effects, found)
    else print(effects, runsText(found))
    return EXIT.complete
  },
}
