import type { RunReport } from '../../activities/run-report.ts'
import { shellWord } from '../render/shell-word.ts'
import { EXIT, type ExitCode } from '../../config/coinlake-error.ts'
import type { Config } from '../../config/config.ts'
import type { CliCommand } from '../command.ts'
import { say, type Effects, type Options } from '../effects.ts'
import { CHOICE_FLAGS, textOption } from '../run/choice-flags.ts'
import type { ExportRequest } from '../run/run-export.ts'
import {
  addAfreshOption,
  addConfigOption,
  addLogOption,
  addWantedOptions,
} from './config-options.ts'

export const backfill: CliCommand = {
  name: 'backfill',
  group: 'Run',
  summary: 'fetch all data that the orders want and the warehouse lacks',
  examples: {
    'coinlake backfill --from 2020-01-01 --coins top:100 --granularity daily':
      'years of daily history of the 100 largest coins; run it again and it makes no call',
    'coinlake backfill -c coinlake.yaml --json':
      'prints the run report as one JSON document; the exit code is the verdict',
  },
  configure(command) {
    addLogOption(addAfreshOption(addWantedOptions(addConfigOption(command)))).option(
      '--json',
      'print the run report as one JSON document on stdout',
    )
  },
  run: (effects, _args, options) => exportCommand(effects, options, 'backfill'),
}

export async function exportCommand(
  effects: Effects,
  options: Options,
  verb: 'backfill' | 'refetch',
): Promise<ExitCode> {
  const { loadCliConfig } = await import('../run/load-cli-config.ts')
  return runToEnd(effects, loadCliConfig(effects, options), {
    kind: verb === 'refetch' ? 'by_hand' : 'backfill',
    goOnWith: continueCommand(options, verb),
    isJson: options['json'] === true,
    isAfresh: options['afresh'] === true,
  })
}

/** The shell command that goes on with the run of these options. */
export function continueCommand(options: Options, verb: 'backfill' | 'refetch'): string {
  const config = textOption(options, 'config')
  const words = ['coinlake', verb, ...(config === undefined ? [] : ['-c', config])]
  for (const name of ['warehouse', 'dataset', ...CHOICE_FLAGS]) {
    const value = textOption(options, name)
    const flag = name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
    if (value !== undefined) words.push(`--${flag}`, value)
  }
  return words.map(shellWord).join(' ')
}

/** An export, and the form of its output. */
interface PrintedExport extends Omit<ExportRequest, 'config' | 'thread'> {
  isJson?: boolean
  /** Whether the warehouse is temporary. The publications of such a one are not printed. */
  isTemporary?: boolean
  onReport?: (report: RunReport) => void
}

export async function runToEnd(
  effects: Effects,
  config: Config,
  { isJson = false, isTemporary = false, onReport, ...asked }: PrintedExport,
): Promise<ExitCode> {
  const { createRenderer } = await import('../render/create-renderer.ts')
  const { stopSignal } = await import('../run/stop-signal.ts')
  const { goOnWith } = asked
  const renderer = await createRenderer(effects, { json: isJson, log: config.log.format })
  const stop = stopSignal(effects, () => {
    renderer.note('stopping after the current write; Ctrl-C again quits at once')
  })
  try {
    const { withWorkflowThread } = await import('../run/with-workflow-thread.ts')
    const report = await withWorkflowThread(effects, config, async (thread) => {
      const { runExport } = await import('../run/run-export.ts')
      return runExport(effects, { config, thread, ...asked }, renderer, stop)
    })
    renderer.report(isTemporary ? { ...report, publications: [] } : report)
    onReport?.(report)
    return exitCodeOf(report)
  } catch (error) {
    if (!stop.aborted) throw error
    renderer.close()
    // `get` says itself whether its temporary folder has anything to go on with.
    say(
      effects,
      isTemporary ? 'stopped' : `stopped, fetched answers are kept; go on with: ${goOnWith}`,
    )
    return EXIT.interrupted
  } finally {
    renderer.close()
  }
}

/** 0 complete, 3 gaps, 7 nothing was loaded, 4 or 5 from an error that ended the run. */
export function exitCodeOf({ verdict, fatal, slices }: RunReport): ExitCode {
  if (fatal === null && verdict === 'complete') return EXIT.complete
  const exitCode = fatal?.exitCode ?? EXIT.gaps
  const isNothingLoaded = slices.loaded + slices.provisional + slices.empty === 0
  if (exitCode === EXIT.gaps && verdict === 'failed' && isNothingLoaded) return EXIT.nothing
  return Object.values(EXIT).find((code) => code === exitCode) ?? EXIT.unexpected
}
