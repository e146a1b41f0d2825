import { Option } from 'commander'
import type { CompactReport } from '../../sinks/duckdb-store/lake/compact-lake.ts'
import type { CliCommand } from '../command.ts'
import { printResult } from '../effects.ts'
import { bytes, count, counted } from '../render/quantities.ts'
import { addConfigOption, configOf } from './config-options.ts'

const WORDS = {
  kept_long_enough: 'loaded answers older than stage.keep',
  abandoned: 'fetched pages that no run has loaded for 30 days',
  damaged: 'damaged pages, moved aside 30 days ago',
  log: 'logs older than log.keep',
} as const

export const prune: CliCommand = {
  name: 'prune',
  group: 'Maintain',
  summary: 'remove expired files: kept answers, abandoned pages, logs; never rows',
  examples: {
    'coinlake prune --dry-run': 'shows what would go, and changes nothing',
    'coinlake prune': 'removes it, by `stage.keep` and `log.keep`',
    'coinlake prune --compact':
      'also merges the small files of a lake; a prune a day later removes the replaced files',
  },
  configure(command) {
    addConfigOption(command)
      .option('--dry-run', 'only show what would go')
      .addOption(
        new Option(
          '--compact',
          'also merge the small files of a lake; loads can run meanwhile',
        ).conflicts('dryRun'),
      )
      .option('--json', 'print as JSON')
  },
  async run(effects, _args, options) {
    const { alignColumns } = await import('../render/align-columns.ts')
    const { mergeLakeFiles, pruneWarehouse } = await import('../prune/prune-warehouse.ts')
    const config = await configOf(effects, options)
    const isDryRun = options['dryRun'] === true
    const pruned = await pruneWarehouse(effects, config, isDryRun)
    const compacted =
      options['compact'] === true ? await mergeLakeFiles(config, effects.clock) : null
    const files = pruned.reduce((sum, one) => sum + one.files, 0)
    const sizeBytes = pruned.reduce((sum, one) => sum + one.sizeBytes, 0)
    const document = { isDryRun, files, sizeBytes, pruned, ...(compacted && { compacted }) }
    printResult(effects, options, document, () => {
      const rows = pruned.map((one) => [WORDS[one.what], count(one.files), bytes(one.sizeBytes)])
      const done = isDryRun ? 'would be removed' : 'removed'
      return [
        ...(rows.length === 0 ? [] : alignColumns(['what', 'files', 'size'], rows, [1, 2])),
        files === 0 ? 'nothing to prune' : `${counted(files, 'file')}, ${bytes(sizeBytes)} ${done}`,
        ...(compacted === null ? [] : [compactedLine(compacted)]),
      ]
    })
  },
}

function compactedLine({ merged, into, removed }: CompactReport): string {
  const gone = `${counted(removed, 'replaced file')} removed`
  return merged === 0
    ? `the files of the lake are few already; ${gone}`
    : `${counted(merged, 'file')} of the lake merged into ${count(into)}; ${gone}`
}
