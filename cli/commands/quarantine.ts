import { Argument } from 'commander'
import { EXIT, type ExitCode } from '../../config/coinlake-error.ts'
import { ConfigError } from '../../config/config-error.ts'
import type { CliCommand } from '../command.ts'
import { print, printJson, type Effects } from '../effects.ts'
import type { QuarantinedRow } from '../quarantine/quarantine-rows.ts'
import { addConfigOption } from './config-options.ts'
import { wholeNumber } from './whole-number.ts'
import { textOption } from '../run/choice-flags.ts'

const DEFAULT_LIMIT = 20
/** Longest value in a list; `show` prints it whole. */
const MAX_RAW_CHARS = 40

export const quarantine: CliCommand = {
  name: 'quarantine',
  group: 'Maintain',
  summary: 'rows that broke a rule: list and show them, replay what passes now, drop the rest',
  examples: {
    'coinlake quarantine list': 'the open rows, newest first',
    'coinlake quarantine replay --all':
      'reads the kept answers again, without a call; exit code 3 when any row still fails',
    'coinlake quarantine drop --dataset market_chart':
      'gives up the rows of one dataset; the ledger keeps them as dropped',
  },
  configure(command) {
    command
      .addArgument(
        new Argument('<action>', 'the action').choices(['list', 'show', 'replay', 'drop']),
      )
      .argument('[ids...]', 'the rows, by the ids that list shows')
    addConfigOption(command)
      .option('--dataset <name>', 'all open rows of this dataset')
      .option('--all', 'all open rows')
      .option('--limit <n>', `list at most this many (default: ${DEFAULT_LIMIT})`)
      .option('--json', 'print as one JSON document')
  },
  async run(effects, [action = 'list', ...ids], options) {
    const limit = wholeNumber('--limit', options['limit'], DEFAULT_LIMIT)
    const dataset = textOption(options, 'dataset') ?? null
    if (action !== 'list' && ids.length === 0 && dataset === null && options['all'] !== true) {
      throw new ConfigError(`quarantine ${action} does not say which rows`, {
        code: 'USAGE',
        hint: 'Name ids that `coinlake quarantine list` shows, or --dataset, or --all.',
      })
    }
    const { loadCliConfig } = await import('../run/load-cli-config.ts')
    const { pathsOf } = await import('../../config/warehouse-paths.ts')
    const { withLedger } = await import('../ledger/open-ledger.ts')
    const { quarantinedRows } = await import('../quarantine/quarantine-rows.ts')
    // --dataset chooses rows here and no orders.
    const config = loadCliConfig(effects, { ...options, dataset: undefined })
    const paths = pathsOf(config)
    const rows = await withLedger(effects, paths, (ledger) =>
      quarantinedRows(ledger, { ids, dataset }),
    )
    const isJson = options['json'] === true
    if (action === 'list') return await list(effects, rows, { limit, isJson })
    if (action === 'show') return show(effects, rows, isJson)
    const { dropRows, replayRows } = await import('../quarantine/end-rows.ts')
    const { counted } = await import('../render/quantities.ts')
    const chosen = rows.map(({ id }) => id)
    const none = { replayed: [], rejected: [], unreadable: [], rows: 0 }
    if (action === 'drop') {
      const dropped = chosen.length === 0 ? 0 : await dropRows(effects, config, chosen)
      printRows(effects, isJson, { dropped }, [`dropped ${counted(dropped, 'row')}`])
      return EXIT.complete
    }
    const done = chosen.length === 0 ? none : await replayRows(effects, config, chosen)
    const { replayed, rejected, unreadable } = done
    printRows(effects, isJson, done, [
      `${counted(replayed.length, 'row')} of the quarantine pass now: ${counted(done.rows, 'row')} loaded, 0 calls`,
      ...rejected.map((id) => `still rejected: ${id}`),
      ...unreadable.map((id) => `the answer is not kept, see \`coinlake refetch\`: ${id}`),
    ])
    return rejected.length + unreadable.length === 0 ? EXIT.complete : EXIT.gaps
  },
}

async function list(
  effects: Effects,
  rows: readonly QuarantinedRow[],
  { limit, isJson }: { limit: number; isJson: boolean },
): Promise<ExitCode> {
  const { alignColumns } = await import('../render/align-columns.ts')
  const { counted } = await import('../render/quantities.ts')
  const lines = alignColumns(
    ['id', 'dataset', 'rule', 'path', 'value', 'answered'],
    rows.slice(0, limit).map(({ id, dataset, rule, path, raw, fetchedAt }) => {
      const value = raw.length > MAX_RAW_CHARS ? `${raw.slice(0, MAX_RAW_CHARS)}...` : raw
      return [id, dataset, rule, path, value, fetchedAt]
    }),
  )
  if (rows.length > limit) {
    const more = counted(rows.length - limit, 'more row')
    lines.push(`... and ${more}: --limit ${rows.length} shows all`)
  }
  printRows(effects, isJson, rows, rows.length === 0 ? ['nothing is in quarantine'] : lines)
  return EXIT.complete
}

function show(effects: Effects, rows: readonly QuarantinedRow[], isJson: boolean): ExitCode {
  const lines = rows.flatMap(({ id, dataset, rule, path, raw, url, fetchedAt }) => [
    id,
    `  ${dataset}: ${rule} at ${path}`,
    `  ${url}, answered ${fetchedAt}`,
    `  ${raw}`,
  ])
  printRows(effects, isJson, rows, lines)
  return EXIT.complete
}

function printRows(
  effects: Effects,
  isJson: boolean,
  document: unknown,
  lines: readonly string[],
): void {
  if (isJson) printJson(effects, document)
  else print(effects, lines)
}
