import type { CliCommand } from '../command.ts'
import { printResult } from '../effects.ts'
import { addConfigOption } from './config-options.ts'
import { withOpen } from '../run/closing-after.ts'

export const tables: CliCommand = {
  name: 'tables',
  group: 'Look',
  summary: 'list published tables and views: rows, first and last time, meaning of a row',
  examples: {
    'coinlake tables': 'the tables and views that SQL can read',
    'coinlake tables -w ./lake --json': 'those of another warehouse, as JSON',
  },
  configure(command) {
    addConfigOption(command).option('--json', 'print as one JSON document')
  },
  async run(effects, _args, options) {
    const { warehouseToRead } = await import('../query/warehouse-to-read.ts')
    const { openPublished } = await import('../query/open-published.ts')
    const { relations, relationsText } = await import('../look/relations.ts')
    const paths = await warehouseToRead(effects, options)
    await withOpen(openPublished(paths, 'UTC'), async ({ connection }) => {
      const found = await relations(connection)
      printResult(effects, options, found, () => relationsText(found))
    })
  },
}
