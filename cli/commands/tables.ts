import type { CliCommand } from '../command.ts'
import { printResult } from '../effects.ts'
import { addConfigOption } from './config-options.ts'

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
    const publication = await openPublished(await warehouseToRead(effects, options), 'UTC')
    try {
      const found = await relations(publication.connection)
      printResult(effects, options, found, () => relationsText(found))
    } finally {
      publication.close()
    }
  },
}
