import { Argument } from 'commander'
import { EXIT } from '../../config/coinlake-error.ts'
import { ConfigError } from '../../config/config-error.ts'
import type { Store } from '../../sinks/duckdb-store/open-store.ts'
import type { CliCommand } from '../command.ts'
import { printResult } from '../effects.ts'
import type { QuarantinedRow } from '../quarantine/quarantine-rows.ts'
import { addConfigOption, addLimitOption, configOf, limitOf } from './config-options.ts'
import { textOption } from '../run/choice-flags.ts'
import { withOpen } from '../run/closing-after.ts'

/** `show` prints a value whole. */
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
    addLimitOption(addConfigOption(command), 'rows')
      .option('--dataset <name>', 'all open rows of this dataset')
      .option('--all', 'all open rows')
      .option('--json', 'print as one JSON document')
  },
  async run(effects, [action = 'list', ...ids], options) {
    const limit = limitOf(options)
    const dataset = textOption(options, 'dataset') ?? null
    if (action !== 'list' && ids.length === 0 && dataset === null && options['all'] !== true) {
      throw new ConfigError(`quarantine ${action} does not say which rows`, {
        code: 'USAGE',
        hint: 'Name ids that `coinlake quarantine list` shows, or --dataset, or --all.',
      })
    }
    const { pathsOf } = await import('../../config/warehouse-paths.ts')
    const { withLedger } = await import('../ledger/open-ledger.ts')
    const { quarantinedRows } = await import('../quarantine/quarantine-rows.ts')
    const config = await configOf(effects, options)
    const paths = pathsOf(config)
    const rows = await withLedger(effects, paths, (ledger) =>
      quarantinedRows(ledger, { ids, dataset }),
    )
    if (rows.length === 0 && dataset !== null) {
      const { findDataset } = await import('../describe/find-dataset.ts')
      findDataset(dataset)
    }
    if (action === 'list' || action === 'show') {
      const lines = action === 'list' ? await listLines(rows, limit) : rows.flatMap(rowLines)
      printResult(effects, options, rows, () => lines)
      return EXIT.complete
    }
    const { openStoreAt, storePlaceOf } = await import('../ledger/store-of.ts')
    const { openConfiguredStage } = await import('../run/open-configured-stage.ts')
    const { counted } = await import('../render/quantities.ts')
    const chosen = rows.map(({ id }) => id)
    const inStore = <T>(work: (store: Store) => Promise<T>): Promise<T> =>
      withOpen(openStoreAt(storePlaceOf(paths), effects.clock), work)
    if (action === 'drop') {
      const dropped =
        chosen.length === 0 ? 0 : await inStore((store) => store.dropQuarantine(chosen))
      printResult(effects, options, { dropped }, () => [`dropped ${counted(dropped, 'row')}`])
      return EXIT.complete
    }
    const none = { replayed: [], rejected: [], unreadable: [], rows: 0 }
    // `isArchive`: a damaged page is not moved aside. The report lists its rows as unreadable.
    const stage = openConfiguredStage(config, { dir: paths.stageDir, isArchive: true })
    const done =
      chosen.length === 0 ? none : await inStore((store) => store.replayQuarantine(chosen, stage))
    const { replayed, rejected, unreadable } = done
    printResult(effects, options, done, () => [
      `${counted(replayed.length, 'row')} of the quarantine pass now: ${counted(done.rows, 'row')} loaded, 0 calls`,
      ...rejected.map((id) => `still rejected: ${id}`),
      ...unreadable.map((id) => `the answer is not kept, see \`coinlake refetch\`: ${id}`),
    ])
    return rejected.length + unreadable.length === 0 ? EXIT.complete : EXIT.gaps
  },
}

async function listLines(rows: readonly QuarantinedRow[], limit: number): Promise<string[]> {
  if (rows.length === 0) return ['nothing is in quarantine']
  const { alignColumns } = await import('../render/align-columns.ts')
  const { omittedLines } = await import('../render/quantities.ts')
  const lines = alignColumns(
    ['id', 'dataset', 'rule', 'path', 'value', 'answered'],
    rows.slice(0, limit).map(({ id, dataset, rule, path, raw, fetchedAt }) => {
      const value = raw.length > MAX_RAW_CHARS ? `${raw.slice(0, MAX_RAW_CHARS)}...` : raw
      return [id, dataset, rule, path, value, fetchedAt]
    }),
  )
  return [...lines, ...omittedLines(rows.length, limit, 'row')]
}

function rowLines({ id, dataset, rule, path, raw, url, fetchedAt }: QuarantinedRow): string[] {
  return [id, `  ${dataset}: ${rule} at ${path}`, `  ${url}, answered ${fetchedAt}`, `  ${raw}`]
}
