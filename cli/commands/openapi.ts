import { profiles } from '../../config/profiles.ts'
import type { CliCommand } from '../command.ts'
import { coinlakeVersion } from '../version.ts'

export const openapi: CliCommand = {
  name: 'openapi',
  group: 'Look',
  summary: 'print the /v2 interface as an OpenAPI 3.1 document',
  examples: {
    'coinlake openapi': 'prints the document; a service has it at /openapi.json',
    'coinlake openapi -o openapi.json --profile coingecko-pro':
      'writes a file, for the paths, keys and dates of that provider',
  },
  configure(command) {
    command
      .option('-o, --output <file>', 'the file to write; `-` prints it', '-')
      .option(
        '--profile <name>',
        `the provider to describe: ${Object.keys(profiles).join(', ')}`,
        'interface',
      )
  },
  async run(effects, _args, options) {
    const { openApiDocument } = await import('../../service/openapi/openapi.ts')
    const { parseProfile } = await import('../serve/serve-options.ts')
    const { writeText } = await import('../query/output.ts')
    const document = openApiDocument(parseProfile(String(options['profile'])), coinlakeVersion)
    await writeText(effects, String(options['output']), `${JSON.stringify(document, null, 2)}\n`)
  },
}
