import { EXIT } from '../../config/coinlake-error.ts'
import type { CliCommand } from '../command.ts'
import { print, printJson } from '../effects.ts'
import { addConfigOption } from './config-options.ts'
import { wholeNumber } from './whole-number.ts'

const DEFAULT_LIMIT = 20

/** Closed values that the source changed later: both values and when each was seen. */
export const revisions: CliCommand = {
  name: 'revisions',
  group: 'Look',
  summary: 'closed values that the source changed later: both values, and when each was seen',
  examples: {
    'coinlake revisions': 'the newest 20 changes',
    'coinlake revisions --table market_chart --json': 'every change of one table as JSON',
  },
  configure(command) {
    addConfigOption(command)
      .option('--table <name>', 'only changes of this table')
      .option('--limit <n>', `show at most this many (default: ${DEFAULT_LIMIT})`)
      .option('--json', 'print all as one JSON document')
  },
  async run(effects, _args, options) {
    const limit = wholeNumber('--limit', options['limit'], DEFAULT_LIMIT)
    const { loadCliConfig } = await import('../run/load-cli-config.ts')
    const { pathsOf } = await import('../../config/warehouse-paths.ts')
    const { openLedger } = await import('../ledger/open-ledger.ts')
    const { saySource } = await import('../ledger/say-source.ts')
    const { revisionRows } = await import('../revisions/revision-rows.ts')
    const { alignColumns } = await import('../render/align-columns.ts')
    const { counted } = await import('../render/quantities.ts')
    const table = typeof options['table'] === 'string' ? options['table'] : null
    const config = loadCliConfig(effects, options)
    const paths = pathsOf(config)
    const ledger = await openLedger(paths, effects.clock)
    try {
      saySource(effects, ledger, paths)
      const found = await revisionRows(ledger, table)
      if (options['json'] === true) {
        printJson(effects, found)
        return EXIT.complete
      }
      const lines =
        found.length === 0
          ? ['no value has changed since it was final']
          : alignColumns(
              ['table', 'row', 'changed', 'seen', 'replaced'],
              found.slice(0, limit).map((one) => [
                one.table,
                Object.values(one.key).map(String).join(' '),
                Object.entries(one.changed)
                  .map(
                    ([name, { before, after }]) => `${name} ${textOf(before)} -> ${textOf(after)}`,
                  )
                  .join(', '),
                one.firstSeenAt,
                one.replacedAt,
              ]),
            )
      if (found.length > limit) {
        const more = counted(found.length - limit, 'more change')
        lines.push(`... and ${more}: --limit ${found.length} shows all`)
      }
      print(effects, lines)
      return EXIT.complete
    } finally {
      await ledger.close()
    }
  },
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
