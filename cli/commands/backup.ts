import { resolve } from 'node:path'
import { EXIT } from '../../config/coinlake-error.ts'
import type { CliCommand } from '../command.ts'
import { printResult } from '../effects.ts'
import { addConfigOption, configOf } from './config-options.ts'

export const backup: CliCommand = {
  name: 'backup',
  group: 'Maintain',
  summary:
    'copy the warehouse into a folder, also beside a worker; later only new files are copied',
  examples: {
    'coinlake backup /mnt/backup/lake':
      'copies the store and the kept answers, and checks their checksums; a repetition copies only new files',
    'coinlake backup /mnt/backup/lake --json':
      'prints the result as JSON; exit code 3 when damaged answers were left out',
  },
  configure(command) {
    addConfigOption(command)
      .argument('<dir>', 'a folder outside of the warehouse, made if missing')
      .option('--json', 'print the result as one JSON document')
  },
  async run(effects, args, options) {
    const { backUp } = await import('../backup/back-up.ts')
    const { shellWord } = await import('../render/shell-word.ts')
    const { bytes, count, counted, namedLines } = await import('../render/quantities.ts')
    const dir = resolve(effects.cwd, String(args[0]))
    const done = await backUp(effects, await configOf(effects, options), dir)
    const { at, publishedAt, rows, kept, added, addedBytes, isNewFile, shut } = done
    const { damaged, movedAside } = done
    printResult(effects, options, done, () => [
      publishedAt === null
        ? 'no published file yet: a restore loads the answers'
        : `${counted(rows, 'row')} as they were stored at ${publishedAt}, ${isNewFile ? 'copied and verified' : 'there already, verified'}`,
      `${counted(kept + added, 'kept answer')}, ${count(added)} of them new (${bytes(addedBytes)})`,
      ...(shut === null || done.file === null ? [] : [`${shut}; the copy is the published file`]),
      ...namedLines(damaged, (path) => `not backed up: ${path} is damaged`),
      ...(damaged.length > 0 ? ['`coinlake verify --repair` moves damaged answers aside'] : []),
      ...namedLines(movedAside, (path) => `damaged in the backup, moved aside there: ${path}`),
      `\`coinlake restore --from ${shellWord(dir)}\` gives the warehouse of ${at}`,
    ])
    return damaged.length + movedAside.length === 0 ? EXIT.complete : EXIT.gaps
  },
}
