import { existsSync, readdirSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { resolve } from 'node:path'
import { Option } from 'commander'
import type { RunReport } from '../../activities/run-report.ts'
import { ConfigError } from '../../config/config-error.ts'
import { profiles } from '../../config/profiles.ts'
import { EXIT } from '../../config/coinlake-error.ts'
import { warehousePaths } from '../../config/warehouse-paths.ts'
import type { CliCommand } from '../command.ts'
import { printJson, say } from '../effects.ts'
import { FORMATS, chooseFormat } from '../query/formats.ts'
import { runToEnd } from './backfill.ts'
import { addChoiceOptions } from './config-options.ts'

/** One dataset into one file, without a configuration. */
export const get: CliCommand = {
  name: 'get',
  group: 'Start',
  summary: 'one dataset as a file, in one line and without a configuration',
  examples: {
    'coinlake get market_chart --coins bitcoin --from 2024-01-01 -o btc.parquet':
      'daily prices of a coin; the key is that of COINLAKE_API_KEY, the service that of COINLAKE_BASE_URL',
    'coinlake get coin_markets exchanges --profile coingecko-demo -o now.duckdb --warehouse ./lake':
      'several datasets in a DuckDB file; with that warehouse the next get pays for what is new only',
    'coinlake get exchange_rates | head -5': 'CSV on standard output',
  },
  configure(command) {
    command.argument('<datasets...>', 'what to fetch; `coinlake datasets` lists them')
    command
      .addOption(
        new Option('--profile <name>', 'whose service it is')
          .choices(Object.keys(profiles))
          // The setting refuses an unknown one, with the name that was probably meant.
          .argParser(String),
      )
      .option('--base-url <url>', 'where the service is; https, or http on this machine')
    addChoiceOptions(command)
      .option(
        '-o, --output <file>',
        'by its name .parquet, .csv, .json or .duckdb; `-` is standard output',
        '-',
      )
      .addOption(
        new Option('-f, --format <format>', 'another form than the name of -o says').choices(
          FORMATS,
        ),
      )
      .option(
        '-w, --warehouse <dir>',
        'keep the warehouse there, for the next get; the file holds all that is in it of the dataset (default: one that goes afterwards)',
      )
      .option('-y, --yes', 'fetch it whatever it costs; without, more than 10 calls are asked for')
  },
  async run(effects, args, options) {
    const { getConfig } = await import('../get/get-config.ts')
    const { passingFolder } = await import('../query/output.ts')
    const { handOut, isDatabase, requireNoLog, wishOf } = await import('../get/hand-out.ts')
    const chosen = args.map(wishOf)
    const format = options['format'] as string | undefined
    const target = { output: String(options['output']), format }
    if (!isDatabase(target)) chooseFormat(effects, format, target.output)
    requireNoLog(effects, target)
    if (chosen.length > 1 && !isDatabase(target)) {
      throw new ConfigError(
        `${target.output} holds one dataset, and this asks for ${args.length}`,
        {
          code: 'GET_ONE_DATASET',
          hint: 'Write several into a DuckDB file: -o NAME.duckdb.',
        },
      )
    }
    const left = chosen.flatMap(({ dataset, table }) =>
      dataset.tables.filter((one) => one !== table),
    )
    if (left.length > 0 && !isDatabase(target)) {
      const names = left.map(({ name }) => name).join(', ')
      say(effects, `note: ${chosen[0]!.table.name} alone; with ${names}: -o NAME.duckdb`)
    }
    const kept = options['warehouse']
    const isKept = typeof kept === 'string'
    const warehouse = isKept ? resolve(effects.cwd, kept) : await passingFolder('coinlake-get-')
    let isHandedOut = false
    try {
      const asked = chosen.map(({ dataset }) => dataset)
      const config = getConfig(effects, asked, options, warehouse)
      const { agreeOnCost } = await import('../get/agree-on-cost.ts')
      const isAgreed = options['yes'] === true
      if (!(await agreeOnCost(effects, config, { isAgreed }))) return EXIT.interrupted
      const goOnWith = `the same with --warehouse ${warehouse}`
      const isPassing = !isKept
      const reports: RunReport[] = []
      const code = await runToEnd(effects, config, {
        kind: 'backfill',
        goOnWith,
        isPassing,
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
      // Answers that were paid for stay until they are handed out.
      if (isHandedOut || !hasAnswers(warehouse)) {
        if (!isKept) await rm(warehouse, { recursive: true, force: true })
      } else if (!isKept) say(effects, `what came is kept: go on with --warehouse ${warehouse}`)
    }
  },
}

/** Whether a warehouse has an answer of the source. */
function hasAnswers(warehouse: string): boolean {
  const { stageDir } = warehousePaths(warehouse)
  if (!existsSync(stageDir)) return false
  const names = readdirSync(stageDir, { recursive: true, encoding: 'utf8' })
  return names.some((name) => name.endsWith('.page'))
}
