import { resolve } from 'node:path'
import { EXIT } from '../../config/coinlake-error.ts'
import { ConfigError } from '../../config/config-error.ts'
import type { CliCommand } from '../command.ts'
import { print, printJson, say } from '../effects.ts'
import { addConfigOption } from './config-options.ts'

/** How many lost slices are named; --json has all. */
const NAMED = 10

/** Makes a store again that is gone, damaged or an old copy. Exit code 3 when some of the kept answers are not whole. */
export const restore: CliCommand = {
  name: 'restore',
  group: 'Maintain',
  summary:
    'make a store again that is gone, damaged or an old copy, without a call; or from a backup',
  examples: {
    'coinlake restore':
      'copies the published file if it is whole, and loads the kept answers that it lacks; then `coinlake backfill` publishes',
    'coinlake restore --from /mnt/backup/lake':
      'the same with a backup beside what the warehouse has; into an empty folder gives the moment of the backup',
    'coinlake restore --json':
      'what was restored and what is lost as JSON; exit code 3 when anything is lost',
  },
  configure(command) {
    addConfigOption(command)
      .option('--from <dir>', 'the folder of a backup, as `coinlake backup` made it')
      .option('--replace', 'go back to that backup alone: a whole store, and all else, moves aside')
      .option('--json', 'print what was done as one JSON document')
  },
  async run(effects, _args, options) {
    const { loadCliConfig } = await import('../run/load-cli-config.ts')
    const { restoreStore } = await import('../restore/restore-store.ts')
    const { counted } = await import('../render/quantities.ts')
    // Not all of them: of what is fetched `from` is a date.
    const config = loadCliConfig(effects, {
      config: options['config'],
      warehouse: options['warehouse'],
    })
    const from = options['from']
    const dir = typeof from === 'string' ? resolve(effects.cwd, from) : null
    const isReplacing = options['replace'] === true
    if (isReplacing && dir === null) {
      throw new ConfigError('--replace needs --from', {
        code: 'RESTORE_WHAT',
        hint: 'Name the backup that is to take the place of the warehouse.',
      })
    }
    const restored = await restoreStore(effects, config, { dir, isReplacing }, (done, of) => {
      if (effects.isLive) say(effects, `${done} of ${counted(of, 'slice')}`)
    })
    const { published, at, movedTo, slices, rows, universes, lost, unreadable } = restored
    if (options['json'] === true) {
      printJson(effects, { calls: 0, ...restored })
    } else {
      const lines: string[] = []
      if (published !== null) {
        lines.push(`restored ${counted(published.rows, 'row')} from ${published.file}, 0 calls`)
      }
      const more = published === null ? '' : ' more'
      lines.push(
        `restored ${counted(slices, 'slice')}${more} with ${counted(rows, 'row')} from kept answers, 0 calls`,
      )
      if (at !== null) lines.push(`the backup is of ${at}`)
      if (movedTo !== null)
        lines.push(`the other one is now ${movedTo}: remove it when all is well`)
      if (universes.length > 0) lines.push(`coins chosen as before: ${universes.join(', ')}`)
      for (const { dataset, entity, fromMs, reason } of lost.slice(0, NAMED)) {
        lines.push(`lost: ${dataset} ${entity} from ${new Date(fromMs).toISOString()}: ${reason}`)
      }
      if (lost.length > NAMED) lines.push(`... and ${counted(lost.length - NAMED, 'more')}`)
      for (const path of unreadable.slice(0, NAMED)) {
        lines.push(
          `lost: the answer ${path}: its facts cannot be read, nothing says what it answered`,
        )
      }
      if (unreadable.length > NAMED)
        lines.push(`... and ${counted(unreadable.length - NAMED, 'more')}`)
      lines.push('`coinlake backfill` publishes it, and fetches what was never there or is lost')
      print(effects, lines)
    }
    return lost.length + unreadable.length === 0 ? EXIT.complete : EXIT.gaps
  },
}
