import { EXIT } from '../../config/coinlake-error.ts'
import type { CliCommand } from '../command.ts'
import { print, printJson } from '../effects.ts'
import { addConfigOption } from './config-options.ts'

/** The tables and views that readers find in a warehouse. */
export const tables: CliCommand = {
  name: 'tables',
  group: 'Look',
  summary: 'tables and views that are published: rows, first and last moment, what a row is',
  examples: {
    'coinlake tables': 'what there is to ask for with SQL',
    'coinlake tables -w ./lake --json': 'of that warehouse, as JSON',
  },
  configure(command) {
    addConfigOption(command).option('--json', 'print as one JSON document')
  },
  async run(effects, _args, options) {
    const { readablePaths } = await import('../query/readable-paths.ts')
    const { openPublished } = await import('../query/open-published.ts')
    const { relations, relationsText } = await import('../look/relations.ts')
    const publication = await openPublished(await readablePaths(effects, options), 'UTC')
    try {
      const found = await relations(publication.connection)
      if (options['json'] === true) printJson(effects, found)
      else print(effects, relationsText(found))
      return EXIT.complete
    } finally {
      publication.close()
    }
  },
}
