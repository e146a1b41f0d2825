import { Argument } from 'commander'
import type { CliCommand } from '../command.ts'
import { warehouseToRead } from '../query/warehouse-to-read.ts'
import { addConfigOption, configOf } from './config-options.ts'
import { withOpen } from '../run/closing-after.ts'

export const dbt: CliCommand = {
  name: 'dbt',
  group: 'Look',
  summary:
    'describe the tables of the warehouse as sources of a dbt project, with tests and freshness',
  examples: {
    'coinlake dbt sources -o models/coinlake.yml':
      "writes the sources; models then say source('coinlake', 'daily_prices')",
    'coinlake dbt sources -w warehouse --database lake':
      'prints them for a profile that attaches the published file as lake; without a configuration they have no freshness limits',
  },
  configure(command) {
    command.addArgument(new Argument('<what>', 'the part to write').choices(['sources']))
    addConfigOption(command)
      .option('--source <name>', 'name of the source in models', 'coinlake')
      .option('--database <name>', 'alias of the published file in the dbt profile', 'coinlake')
      .option('-o, --output <file>', 'the file to write; `-` prints it', '-')
  },
  async run(effects, _args, options) {
    const { openPublished } = await import('../query/open-published.ts')
    const { publishedRelations } = await import('../dbt/described-relations.ts')
    const { sourceFreshness } = await import('../dbt/source-freshness.ts')
    const { sourcesYaml } = await import('../dbt/sources-yaml.ts')
    const { publishedFreshness } = await import('../freshness/published-freshness.ts')
    const { requireOutside, writeText } = await import('../query/output.ts')
    const target = String(options['output'])
    const paths = await warehouseToRead(effects, options)
    requireOutside(paths, effects.cwd, target)
    const published = await withOpen(openPublished(paths, 'UTC'), (publication) =>
      publishedRelations(publication, paths.root),
    )
    const isNamed = typeof options['warehouse'] === 'string'
    // Only a configuration has limits of freshness.
    const found = isNamed
      ? []
      : await publishedFreshness(await configOf(effects, options), effects.clock)
    const source = { name: String(options['source']), database: String(options['database']) }
    const text = sourcesYaml(source, published, sourceFreshness(found))
    await writeText(effects, target, text)
  },
}
