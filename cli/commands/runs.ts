import type { CliCommand } from '../command.ts'
import { printResult } from '../effects.ts'
import { addConfigOption, addLimitOption, limitOf } from './config-options.ts'

export const runs: CliCommand = {
  name: 'runs',
  group: 'Look',
  summary: 'list the runs: time, schedule, verdict, calls, rows',
  examples: {
    'coinlake runs': 'the newest 20 runs',
    'coinlake runs --limit 200 --json': 'more of them, as JSON',
  },
  configure(command) {
    addLimitOption(addConfigOption(command), 'runs').option('--json', 'print as one JSON document')
  },
  async run(effects, _args, options) {
    const limit = limitOf(options)
    const { warehouseToRead } = await import('../query/warehouse-to-read.ts')
    const { withLedger } = await import('../ledger/open-ledger.ts')
    const { newestRuns, runsText, withReports } = await import('../look/runs.ts')
    const { newestReports } = await import('../run/newest-reports.ts')
    const paths = await warehouseToRead(effects, options)
    const found = await withLedger(effects, paths, async (ledger) => {
      const ofLedger = await newestRuns(ledger, limit)
      if (ledger.shut === null) return ofLedger
      return withReports(ofLedger, await newestReports(paths.runsDir, limit), limit)
    })
    printResult(effects, options, found, () => (limit === 0 ? [] : runsText(found)))
  },
}
