import { resolve } from 'node:path'
import { EXIT } from '../../config/coinlake-error.ts'
import { ConfigError } from '../../config/config-error.ts'
import type { CliCommand } from '../command.ts'
import { printResult } from '../effects.ts'
import { addConfigOption, configOf } from './config-options.ts'
import { textOption } from '../run/choice-flags.ts'

export const restore: CliCommand = {
  name: 'restore',
  group: 'Maintain',
  summary:
    'rebuild a store that is gone, damaged or an old copy, without a call; also from a backup',
  examples: {
    'coinlake restore':
      'copies the published file if it is whole, and loads the kept answers that it lacks; then `coinlake backfill` publishes',
    'coinlake restore --from /mnt/backup/lake':
      'also reads the backup; in an empty folder this gives the warehouse of that backup',
    'coinlake restore --json':
      'prints restored and lost slices as JSON; exit code 3 when any is lost',
  },
  configure(command) {
    addConfigOption(command)
      .option('--from <dir>', 'the folder of a backup, as `coinlake backup` made it')
      .option('--replace', 'use only the backup; the present store and its files move aside')
      .option('--json', 'print the result as one JSON document')
  },
  async run(effects, _args, options) {
    const { restoreStore } = await import('../restore/restore-store.ts')
    const { counted, namedLines } = await import('../render/quantities.ts')
    const config = await configOf(effects, options)
    const from = textOption(options, 'from')
    const dir = from === undefined ? null : resolve(effects.cwd, from)
    const isReplacing = options['replace'] === true
    if (isReplacing && dir === null) {
      throw new ConfigError('--replace needs --from', {
        code: 'RESTORE_WHAT',
        hint: 'Name the backup that replaces the warehouse.',
      })
    }
    const restored = await restoreStore(effects, config, { dir, isReplacing })
    const { published, at, movedTo, slices, rows, universes, lost, unreadable } = restored
    printResult(effects, options, { calls: 0, ...restored }, () => [
      ...(published === null
        ? []
        : [`restored ${counted(published.rows, 'row')} from ${published.file}, 0 calls`]),
      ...(published !== null && slices === 0
        ? []
        : [
            `restored ${counted(slices, 'slice')}${published === null ? '' : ' more'} with ${counted(rows, 'row')} from kept answers, 0 calls`,
          ]),
      ...(at === null ? [] : [`the backup is of ${at}`]),
      ...(movedTo === null ? [] : [`the other one is now ${movedTo}: remove it when all is well`]),
      ...(universes.length === 0 ? [] : [`coins chosen as before: ${universes.join(', ')}`]),
      ...namedLines(lost, ({ dataset, entity, fromMs, reason }) => {
        return `lost: ${dataset} ${entity} from ${new Date(fromMs).toISOString()}: ${reason}`
      }),
      ...namedLines(unreadable, (path) => `lost: the answer ${path}: its facts cannot be read`),
      '`coinlake backfill` publishes the store, and fetches lost and missing data',
    ])
    return lost.length + unreadable.length === 0 ? EXIT.complete : EXIT.gaps
  },
}
