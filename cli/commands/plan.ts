import type { CliCommand } from '../command.ts'
import { printResult, say } from '../effects.ts'
import { addAfreshOption, addConfigOption, addWantedOptions } from './config-options.ts'

export const plan: CliCommand = {
  name: 'plan',
  group: 'Run',
  summary: 'show what a backfill would fetch and cost, now and each month; fetches nothing',
  examples: {
    'coinlake plan': 'prices ./coinlake.yaml as it stands',
    'coinlake plan --from 2020-01-01 --granularity hourly --coins top:100 --json':
      'prices another range, as JSON with every slice',
  },
  configure(command) {
    addAfreshOption(addWantedOptions(addConfigOption(command))).option(
      '--json',
      'print the plan as JSON, with its slices',
    )
  },
  async run(effects, _args, options) {
    const { loadCliConfig } = await import('../run/load-cli-config.ts')
    const { planExport } = await import('../run/plan-export.ts')
    const { planText } = await import('../render/plan-text.ts')
    const config = loadCliConfig(effects, options)
    const planned = await planExport(effects, config, { isAfresh: options['afresh'] === true })
    if (planned.note !== null) say(effects, planned.note)
    for (const text of planned.warnings) say(effects, `warning: ${text}`)
    const { plan: slicePlan, price, month: _, note: __, ...others } = planned
    const unreachable = { ...planned.unreachable, series: slicePlan.unreachable }
    const document = { ...price, ...others, ...slicePlan, unreachable }
    printResult(effects, options, document, () => planText(planned, config))
  },
}
