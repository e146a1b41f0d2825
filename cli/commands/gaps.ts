import { EXIT } from '../../config/coinlake-error.ts'
import type { CliCommand } from '../command.ts'
import { printResult, say } from '../effects.ts'
import { addConfigOption, addLimitOption, addWantedOptions, limitOf } from './config-options.ts'

export const gaps: CliCommand = {
  name: 'gaps',
  group: 'Look',
  summary:
    'list missing, quarantined, provisional and empty intervals; exit code 3 when there are gaps',
  examples: {
    'coinlake gaps': 'days by dataset and state, then the first 20 gaps',
    'coinlake gaps --dataset market_chart --json | jq .summary':
      'one dataset as JSON; `intervals` has every interval',
  },
  configure(command) {
    addLimitOption(addWantedOptions(addConfigOption(command)), 'gaps').option(
      '--json',
      'print summary and all intervals as one JSON document',
    )
  },
  async run(effects, _args, options) {
    const limit = limitOf(options)
    const { loadCliConfig } = await import('../run/load-cli-config.ts')
    const { hasGaps, lookForGaps } = await import('../gaps/look-for-gaps.ts')
    const { gapsText, summarizeGaps } = await import('../gaps/gaps-text.ts')
    const { keyMonths, monthOfAllKeys } = await import('../run/key-months.ts')
    const config = loadCliConfig(effects, options)
    const found = await lookForGaps(effects, config)
    const months = await keyMonths(config)
    const isSpent = months.every(
      ({ used, reserve, ceiling }) => ceiling !== null && used + (reserve ?? 0) >= ceiling,
    )
    const nextCallMs = isSpent ? (monthOfAllKeys(months)?.endsAtMs ?? null) : null
    if (found.note !== null) say(effects, found.note)
    const { pendingUniverses, source, givenUp, unreachable } = found
    const document = {
      gaps: hasGaps(found),
      source,
      pendingUniverses,
      summary: summarizeGaps(found),
      unreachable,
      missed: found.missed.map(withTimes),
      intervals: found.intervals.map(withTimes),
      doubtful: found.doubtful.map(withTimes),
      absent: found.absent.map(({ goneSinceMs, ...one }) => ({
        ...one,
        goneSince: new Date(goneSinceMs).toISOString(),
      })),
      givenUp,
    }
    printResult(effects, options, document, () => gapsText(found, limit, nextCallMs))
    return hasGaps(found) ? EXIT.gaps : EXIT.complete
  },
}

function withTimes<T extends { fromMs: number; toMs: number }>(one: T) {
  const { fromMs, toMs, ...rest } = one
  return { ...rest, from: new Date(fromMs).toISOString(), to: new Date(toMs).toISOString() }
}
