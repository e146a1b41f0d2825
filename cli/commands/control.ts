import { CoinlakeError } from '../../config/coinlake-error.ts'
import type { CliCommand } from '../command.ts'
import { printJson, say } from '../effects.ts'
import { progressLine } from '../render/progress-line.ts'
import type { RunProgress } from '../../workflows/messages.ts'
import { addConfigOption, configOf } from './config-options.ts'
import { withOpen } from '../run/closing-after.ts'

/** After this time the command reports that no worker runs. */
const ANSWER_MS = 8_000

type ControlName = 'pause' | 'resume' | 'cancel'

const TEXTS: Record<ControlName, { summary: string; done: string }> = {
  pause: {
    summary: 'fetch no new pages; pages in flight are finished and loaded',
    done: 'paused; go on with `coinlake resume`',
  },
  resume: { summary: 'go on after a pause', done: 'resumed' },
  cancel: {
    summary: 'end the open run; loaded data stay, and the next run plans the rest again',
    done: 'cancelled; fetched pages are being loaded and published',
  },
}

export const pause = controlCommand('pause')
export const resume = controlCommand('resume')
export const cancel = controlCommand('cancel')

function controlCommand(name: ControlName): CliCommand {
  return {
    name,
    group: 'Run',
    summary: TEXTS[name].summary,
    examples: {
      [`coinlake ${name}`]: `${name}s the run of ./coinlake.yaml`,
      [`coinlake ${name} -c prod.yaml --json`]: 'prints its progress as JSON',
    },
    configure(command) {
      addConfigOption(command).option(
        '--json',
        'print the progress as JSON; null when no run has it',
      )
    },
    async run(effects, _args, options) {
      const { connectClient, findClient } = await import('../run/connect-client.ts')
      const { brokenOffRun, brokenOffText, forgetBegunRun } = await import('../run/begun-run.ts')
      const { findOpenRuns } = await import('../run/open-run.ts')
      const { pathsOf } = await import('../../config/warehouse-paths.ts')
      const messages = await import('../../workflows/messages.ts')
      const config = await configOf(effects, options)
      const paths = pathsOf(config)
      const broken = brokenOffRun(paths)
      const tell = (progress: RunProgress | null, text: string): void => {
        if (options['json'] === true) printJson(effects, progress, 0)
        say(effects, text)
      }
      const nothingOpen = (): void => {
        const goOn = broken === null ? '' : `; ${brokenOffText(broken)}`
        tell(null, `no run is going on in ${paths.root}${goOn}`)
      }
      const { hasStore } = await import('../ledger/store-of.ts')
      const isEnding = name === 'cancel' && broken !== null
      // A run may still be open in the state of a stopped server, also without a note. Only `cancel` starts that server.
      const isStarting = isEnding || (name === 'cancel' && hasStore(paths))
      const connected = isStarting ? await connectClient(effects) : await findClient(effects)
      if (connected === null) return nothingOpen()
      await withOpen(connected, async ({ client }) => {
        const [open] = await findOpenRuns(client, config)
        if (open === undefined && isEnding) {
          forgetBegunRun(paths, broken.runId)
          tell(null, `run ${broken.runId} was broken off and is over; nothing loaded is lost`)
          return
        }
        if (open === undefined) return nothingOpen()
        // The deadline ends the call before the connection closes; else gRPC throws from a timer, where nothing catches it.
        const progress = await client
          .withDeadline(Date.now() + ANSWER_MS, () =>
            open.handle.executeUpdate(messages[`${name}Update`]),
          )
          .catch(() => null)
        if (progress !== null) {
          tell(progress, `run ${open.runId}: ${TEXTS[name].done}`)
          say(effects, progressLine(progress, Date.now()))
          return
        }
        if (name === 'cancel') {
          // The ledger is committed, so a run without a worker may just end.
          await open.handle.terminate('cancelled while no worker was running')
          forgetBegunRun(paths, open.runId)
          tell(null, `run ${open.runId} had no worker and was ended; nothing loaded is lost`)
          return
        }
        throw new CoinlakeError(`run ${open.runId} is open, but no worker answers`, {
          code: 'NO_WORKER',
          hint: 'Start one with `coinlake worker`, or go on with the same `coinlake backfill`.',
        })
      })
    },
  }
}
