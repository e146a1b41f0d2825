import type { CliCommand } from '../command.ts'
import { printResult } from '../effects.ts'
import { addConfigOption, addLimitOption, configOf, limitOf } from './config-options.ts'
import { textOption } from '../run/choice-flags.ts'

export const revisions: CliCommand = {
  name: 'revisions',
  group: 'Look',
  summary: 'list final values that the source changed later, with both values and times',
  examples: {
    'coinlake revisions': 'the newest 20 changes',
    'coinlake revisions --table market_chart --json': 'every change of one table as JSON',
  },
  configure(command) {
    addLimitOption(addConfigOption(command), 'revisions')
      .option('--table <name>', 'only changes of this table')
      .option('--json', 'print all as one JSON document')
  },
  async run(effects, _args, options) {
    const limit = limitOf(options)
    const { pathsOf } = await import('../../config/warehouse-paths.ts')
    const { withLedger } = await import('../ledger/open-ledger.ts')
    const { revisionRows } = await import('../revisions/revision-rows.ts')
    const { findDataset } = await import('../describe/find-dataset.ts')
    const { alignColumns } = await import('../render/align-columns.ts')
    const { omittedLines } = await import('../render/quantities.ts')
    const table = textOption(options, 'table') ?? null
    const config = await configOf(effects, options)
    const paths = pathsOf(config)
    const found = await withLedger(effects, paths, (ledger) => revisionRows(ledger, table))
    if (found.length === 0 && table !== null) findDataset(table)
    printResult(effects, options, found, () => {
      if (found.length === 0) return ['no value has changed since it was final']
      const header = ['table', 'row', 'changed', 'seen', 'replaced']
      const rows = found.slice(0, limit).map((one) => {
        const key = Object.values(one.key).map(String).join(' ')
        const changes = Object.entries(one.changed).map(
          ([name, { before, after }]) => `${name} ${textOf(before)} -> ${textOf(after)}`,
        )
        return [one.table, key, changes.join(', '), one.firstSeenAt, one.replacedAt]
      })
      return [...alignColumns(header, rows), ...omittedLines(found.length, limit, 'change')]
    })
  },
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
