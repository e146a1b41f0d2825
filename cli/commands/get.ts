import { rm } from 'node:fs/promises'
import { Option } from 'commander'
import type { RunReport } from '../../activities/run-report.ts'
import { ConfigError } from '../../config/config-error.ts'
import { profiles } from '../../config/profiles.ts'
import { EXIT } from '../../config/coinlake-error.ts'
import { pathFrom } from '../../config/settings/place-kinds.ts'
import { warehousePaths } from '../../config/warehouse-paths.ts'
import type { CliCommand } from '../command.ts'
import { printJson, say } from '../effects.ts'
import { FORMATS, chooseFormat } from '../query/formats.ts'
import { runToEnd } from './backfill.ts'
import { addChoiceOptions } from './config-options.ts'

export const get: CliCommand = {
  name: 'get',
  group: 'Start',
  summary: 'fetch one dataset into a file, or several into a DuckDB file, without a configuration',
  examples: {
    'coinlake get market_chart --coins bitcoin --from 2024-01-01 -o btc.parquet':
      'daily prices of a coin; COINLAKE_API_KEY has the key, COINLAKE_BASE_URL the service',
    'coinlake get coin_markets exchanges --profile coingecko-demo -o now.duckdb --warehouse ./lake':
      'several datasets into a DuckDB file; the next get with this warehouse fetches only new data',
    'coinlake get exchange_rates | head -5': 'CSV on standard output',
  },
  configure(command) {
    command.argument('<datasets...>', 'datasets to fetch (csv); `coinlake datasets` lists them')
    command
      .addOption(
        new Option('--profile <name>', 'the kind of service')
          .choices(Object.keys(profiles))
          // The setting refuses an unknown profile and suggests one.
          .argParser(String),
      )
      .option('--base-url <url>', 'address of the service; https, or http on this machine')
    addChoiceOptions(command)
      .option(
        '-o, --output <file>',
        'the file; its ending .parquet, .csv, .json or .duckdb chooses the format; `-` is standard output',
        '-',
      )
      .addOption(
        new Option('-f, --format <format>', 'the format, whatever the ending').choices(FORMATS),
      )
      .option(
        '-w, --warehouse <dir>',
        'keep the warehouse in this folder, so that the next get fetches only new data; the file gets all rows of the dataset in it (default: a temporary folder)',
      )
      .option('-y, --yes', 'fetch at any cost; otherwise more than 10 calls need a yes')
  },
  async run(effects, args, options) {
    const { getConfig } = await import('../get/get-config.ts')
    const { makeTemporaryFolder, requireFolder, requireOutside } =
      await import('../query/output.ts')
    const { handOut, isDatabase, requireNoWal, chosenTable } = await import('../get/hand-out.ts')
    const names = args.flatMap((arg) => arg.split(',')).map((name) => name.trim())
    const chosen = names.filter((name) => name !== '').map(chosenTable)
    const format = options['format'] as string | undefined
    const target = { output: String(options['output']), format }
    if (!isDatabase(target)) chooseFormat(effects, format, target.output, ['.duckdb', '.db'])
    requireNoWal(effects, target)
    requireFolder(effects.cwd, target.output)
    if (chosen.length > 1 && !isDatabase(target)) {
      throw new ConfigError(
        `${target.output} can have one dataset only, and ${chosen.length} are asked for`,
        {
          code: 'GET_ONE_DATASET',
          hint: 'Write several into a DuckDB file: -o NAME.duckdb, without -f.',
        },
      )
    }
    const otherTables = chosen.flatMap(({ dataset, table }) =>
      dataset.tables.filter((one) => one !== table),
    )
    if (otherTables.length > 0 && !isDatabase(target)) {
      const names = otherTables.map(({ name }) => name).join(', ')
      say(
        effects,
        `note: the output has only ${chosen[0]!.table.name}; -o NAME.duckdb adds ${names}`,
      )
    }
    const kept = options['warehouse']
    const isKept = typeof kept === 'string'
    const warehouse = isKept
      ? pathFrom(effects.cwd, kept)
      : await makeTemporaryFolder('coinlake-get-')
    requireOutside(warehousePaths(warehouse), effects.cwd, target.output)
    const goOnWith = `the same command with --warehouse ${warehouse}`
    let isHandedOut = false
    try {
      const asked = chosen.map(({ dataset }) => dataset)
      const config = getConfig(effects, asked, options, warehouse)
      const { agreeOnCost } = await import('../get/agree-on-cost.ts')
      const isAgreed = options['yes'] === true
      if (!(await agreeOnCost(effects, config, { isAgreed }))) return EXIT.interrupted
      const reports: RunReport[] = []
      const code = await runToEnd(effects, config, {
        kind: 'backfill',
        goOnWith,
        isTemporary: !isKept,
        onReport: (report) => reports.push(report),
      })
      if (code === EXIT.complete || code === EXIT.gaps) {
        const what = await handOut(effects, warehouse, chosen, target)
        if (target.output !== '-') say(effects, `wrote ${target.output}${what}`)
        isHandedOut = code === EXIT.complete
      } else if (format === 'json') {
        for (const report of reports) printJson(effects, report)
      }
      return code
    } finally {
      // Paid answers stay until the file has them.
      const { hasOwnPages } = await import('../ledger/lost-store.ts')
      const isNeeded = !isHandedOut && hasOwnPages(warehousePaths(warehouse))
      if (!isKept && isNeeded) say(effects, `fetched data are kept: ${goOnWith} goes on`)
      else if (!isKept) await rm(warehouse, { recursive: true, force: true })
    }
  },
}
