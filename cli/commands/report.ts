import { resolve } from 'node:path'
import { printableJson } from '../../config/values/foreign-text.ts'
import type { CliCommand } from '../command.ts'
import { say } from '../effects.ts'
import { addConfigOption, configOf } from './config-options.ts'
import { textOption } from '../run/choice-flags.ts'

export const report: CliCommand = {
  name: 'report',
  group: 'Look',
  summary:
    'write one HTML page: verdict, coverage, gaps, budget, freshness, a chart of a coin; or JSON',
  examples: {
    'coinlake report': 'writes coinlake-report.html: one file, no network, no script',
    'coinlake report --coin ethereum --vs eur -o ethereum.html':
      'draws the price and the candles of that coin',
    'coinlake report --json | jq -r .verdict.sentence': 'prints the verdict in one line',
  },
  configure(command) {
    addConfigOption(command)
      .option(
        '-o, --output <file>',
        'the file to write or replace; `-` is standard output (default: coinlake-report.html; with --json standard output)',
      )
      .option(
        '--coin <id>',
        'the coin to draw (default: the first that is configured and has prices)',
      )
      .option(
        '--vs <currency>',
        'its currency (default: the first that is configured and has prices)',
      )
      .option('--run <id>', 'show the calls and slices of this run instead of the last')
      .option('--json', 'the same facts as one JSON document')
  },
  async run(effects, _args, options) {
    const { reportFacts } = await import('../report/facts/report-facts.ts')
    const { requireOutside, writeText } = await import('../query/output.ts')
    const { pathsOf } = await import('../../config/warehouse-paths.ts')
    const text = (name: string): string | null => textOption(options, name) ?? null
    const target = text('output')
    const config = await configOf(effects, options)
    requireOutside(pathsOf(config), effects.cwd, target ?? '-')
    const choice = { coinId: text('coin'), vsCurrency: text('vs'), runId: text('run') }
    const facts = await reportFacts(effects, config, choice)
    if (options['json'] === true) {
      await writeText(effects, target ?? '-', `${printableJson(facts, 2)}\n`)
      return
    }
    const { reportPage } = await import('../report/page/report-page.ts')
    const file = target ?? 'coinlake-report.html'
    await writeText(effects, file, await reportPage(facts))
    if (file === '-') return
    say(effects, facts.verdict.sentence)
    say(effects, `wrote ${resolve(effects.cwd, file)}`)
  },
}
