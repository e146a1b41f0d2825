import { resolve } from 'node:path'
import { EXIT } from '../../config/coinlake-error.ts'
import type { CliCommand } from '../command.ts'
import { print, printJson } from '../effects.ts'
import { addConfigOption } from './config-options.ts'

/** How many damaged answers are named; --json has all. */
const NAMED = 10

/** Backs up beside a worker or alone. Exit code 3 when damaged answers have no whole copy. */
export const backup: CliCommand = {
  name: 'backup',
  group: 'Maintain',
  summary:
    'back the warehouse up into a folder, beside a worker too: what is new since the last time',
  examples: {
    'coinlake backup /mnt/backup/lake':
      'the store of one moment and the answers kept up to now, checked against their checksums; a repetition adds only what is new',
    'coinlake backup /mnt/backup/lake --json':
      'what it holds as JSON; exit code 3 when damaged answers were left out',
  },
  configure(command) {
    addConfigOption(command)
      .argument('<dir>', 'a folder outside of the warehouse, made if missing')
      .option('--json', 'print what was done as one JSON document')
  },
  async run(effects, args, options) {
    const { loadCliConfig } = await import('../run/load-cli-config.ts')
    const { backUp } = await import('../backup/back-up.ts')
    const { bytes, count, counted } = await import('../render/quantities.ts')
    const dir = resolve(effects.cwd, String(args[0]))
    const done = await backUp(effects, loadCliConfig(effects, options), dir)
    const { at, publishedAt, rows, kept, added, addedBytes, damaged, isNewFile, shut } = done
    if (options['json'] === true) {
      printJson(effects, done)
    } else {
      print(effects, [
        publishedAt === null
          ? 'no published file yet: a restore loads the answers'
          : `${counted(rows, 'row')} as they were stored at ${publishedAt}, ${isNewFile ? 'copied and verified' : 'there already, verified'}`,
        `${counted(kept + added, 'kept answer')}, ${count(added)} of them new (${bytes(addedBytes)})`,
        ...(shut === null || done.file === null
          ? []
          : [`${shut}: so the file is what was published last`]),
        ...damaged.slice(0, NAMED).map((path) => `not backed up: ${path} is damaged`),
        ...(damaged.length > NAMED ? [`... and ${counted(damaged.length - NAMED, 'more')}`] : []),
        ...(damaged.length > 0 ? ['`coinlake verify --repair` moves damaged answers aside'] : []),
        `\`coinlake restore --from ${dir}\` gives the warehouse of ${at}`,
      ])
    }
    return damaged.length === 0 ? EXIT.complete : EXIT.gaps
  },
}
