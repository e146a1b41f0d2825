import { EXIT } from '../../config/coinlake-error.ts'
import type { CliCommand } from '../command.ts'
import { print, printJson, say } from '../effects.ts'
import { addConfigOption } from './config-options.ts'

/** How many lost slices are named; --json has all. */
const NAMED = 10

/** Makes a store again that is gone, damaged or an old copy. Exit code 3 when some of the kept answers are not whole. */
export const restore: CliCommand = {
  name: 'restore',
  group: 'Mend',
  summary: 'make a store again that is gone, damaged or an old copy, without a call',
  examples: [
    {
      command: 'coinlake restore',
      does: 'copies the published file if it is whole, and loads the kept answers that it lacks; then `coinlake backfill` publishes',
    },
    {
      command: 'coinlake restore --json',
      does: 'what was restored and what is lost as JSON; exit code 3 when anything is lost',
    },
  ],
  configure(command) {
    addConfigOption(command).option('--json', 'print what was done as one JSON document')
  },
  async run(effects, _args, options) {
    const { loadCliConfig } = await import('../run/load-cli-config.ts')
    const { restoreStore } = await import('../restore/restore-store.ts')
    const { counted } = await import('../render/quantities.ts')
    const config = loadCliConfig(effects, options)
    const restored = await restoreStore(effects, config, (done, of) => {
      if (effects.isLive) say(effects, `${done} of ${counted(of, 'slice')}`)
    })
    const { published, movedTo, slices, rows, universes, lost, unreadable } = restored
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
