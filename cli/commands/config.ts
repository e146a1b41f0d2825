import { Argument } from 'commander'
import { EXIT } from '../../config/coinlake-error.ts'
import type { Config } from '../../config/config.ts'
import { InvalidConfigError } from '../../config/config-problem.ts'
import type { WantedDataset } from '../../plan/order.ts'
import type { CliCommand } from '../command.ts'
import { printJson, printResult, say, type Effects, type Options } from '../effects.ts'
import { addConfigOption, addWantedOptions } from './config-options.ts'

export const config: CliCommand = {
  name: 'config',
  group: 'Start',
  summary: 'show each value and where it came from, or check the file',
  examples: {
    'coinlake config show': 'each value with its origin: flag, env, file:line',
    'coinlake config check -c prod.yaml': 'lists every problem; exit code 2 if there is one',
  },
  configure(command) {
    command.addArgument(new Argument('<action>', 'the action').choices(['show', 'check']))
    addWantedOptions(addConfigOption(command)).option('--json', 'print as JSON')
  },
  async run(effects, [action], options) {
    const { loadCliConfig } = await import('../run/load-cli-config.ts')
    try {
      const loaded = loadCliConfig(effects, options)
      await (action === 'show' ? show : check)(effects, loaded, options)
      return EXIT.complete
    } catch (error) {
      const isReport = action === 'check' && options['json'] === true
      if (!isReport || !(error instanceof InvalidConfigError)) throw error
      printJson(effects, { ok: false, problems: error.problems })
      return error.exitCode
    }
  },
}

async function show(effects: Effects, { settings }: Config, options: Options): Promise<void> {
  const { alignColumns } = await import('../render/align-columns.ts')
  printResult(effects, options, settings, () => {
    const rows = Object.entries(settings).map(([path, { value, origin }]) => [path, value, origin])
    return alignColumns(['setting', 'value', 'origin'], rows)
  })
}

async function check(effects: Effects, config: Config, options: Options): Promise<void> {
  const { wantedFromConfig } = await import('../../config/wanted.ts')
  const { datasets } = await import('../../datasets/index.ts')
  const { orderLabel } = await import('../../config/order-label.ts')
  const wanted = wantedFromConfig(config, datasets, effects.clock)
  const names = config.datasets.map(orderLabel)
  const warning = await keyWarning(config)
  const doubts = await idWarnings(config, wanted)
  const warnings = [...(warning === null ? [] : [warning]), ...doubts]
  const document = { ok: true, datasets: names, problems: [], warnings }
  printResult(effects, options, document, () => [
    `ok: ${config.file}: ${names.join(', ')} from ${config.source.baseUrl} into ${config.lake?.catalog ?? config.warehouseDir}`,
  ])
  if (options['json'] === true) return
  if (warning !== null) say(effects, `note: ${warning}; commands that fetch need it`)
  for (const text of doubts) say(effects, `warning: ${text}`)
}

/** None without a readable publication. */
async function idWarnings(config: Config, wanted: readonly WantedDataset[]): Promise<string[]> {
  const { doubtfulNameWarnings } = await import('../run/doubtful-names.ts')
  const { openPublished } = await import('../query/open-published.ts')
  const { pathsOf } = await import('../../config/warehouse-paths.ts')
  const published = await openPublished(pathsOf(config), 'UTC').catch(() => null)
  if (published === null) return []
  return await doubtfulNameWarnings(published.rows, wanted).finally(() => published.close())
}

/** A missing key is no error here, because CI checks the file without a key. */
async function keyWarning(config: Config): Promise<string | null> {
  const { requireKeys } = await import('../../config/require-key.ts')
  try {
    requireKeys(config)
    return null
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
