import type { RunReport } from '../../activities/run-report.ts'
import type { LogConfig } from '../../config/settings/read-watching.ts'
import type { RunProgress } from '../../workflows/messages.ts'
import { printJson, say, type Effects } from '../effects.ts'
import { jsonLog } from '../run/json-log.ts'
import type { liveLines } from './live-lines.ts'
import { progressLine, progressLines } from './progress-line.ts'
import { reportText } from './report-text.ts'
import { paceFacts, type AllowedRate } from './run-pace.ts'

/** Shortest time between two lines of progress outside of a terminal. */
const PLAIN_EVERY_MS = 5_000
/** Shortest time between two log lines of progress. */
const LOG_EVERY_MS = 10_000

export interface RunRenderer {
  /** A step before the run: finding the server, starting workers. */
  step(text: string): void
  progress(progress: RunProgress, allowed: AllowedRate): void
  /** Prints a line that stays. */
  note(text: string): void
  report(report: RunReport): void
  /** Restores the terminal; may be called twice. */
  close(): void
}

/**
 * The renderer for the streams: a moving line on a terminal, sparse lines elsewhere, silence for JSON, or log lines.
 */
export async function createRenderer(
  effects: Effects,
  options: { json: boolean; log?: LogConfig['format'] },
): Promise<RunRenderer> {
  if (options.log === 'json') return logRenderer(effects, options)
  if (options.json) return jsonRenderer(effects)
  if (!effects.isLive) return plainRenderer(effects)
  // Loaded on demand, because the library takes 50 ms to load.
  const { liveLines } = await import('./live-lines.ts')
  return ttyRenderer(effects, liveLines(effects.stderr))
}

/** A moving line, notes above it, the report in its place. */
function ttyRenderer(effects: Effects, live: ReturnType<typeof liveLines>): RunRenderer {
  return {
    step: (text) => live.show([text]),
    progress(progress, allowed) {
      live.show(progressLines(progress, Date.now(), live.columns(), allowed))
    },
    note: (text) => live.persist(text),
    report(report) {
      live.clear()
      for (const line of reportText(report)) say(effects, line)
    },
    close: () => live.clear(),
  }
}

function jsonRenderer(effects: Effects): RunRenderer {
  return {
    step: () => undefined,
    progress: () => undefined,
    note: (text) => say(effects, text),
    report: (report) => printJson(effects, report),
    close: () => undefined,
  }
}

function plainRenderer(effects: Effects): RunRenderer {
  const isDue = newsEvery(PLAIN_EVERY_MS)
  return {
    step: (text) => say(effects, text),
    progress(progress, allowed) {
      const line = progressLine(progress, Date.now(), allowed)
      if (isDue(line)) say(effects, line)
    },
    note: (text) => say(effects, text),
    report: (report) => reportText(report).forEach((line) => say(effects, line)),
    close: () => undefined,
  }
}

/** JSON log lines on stderr, beside those of the process. With `json` the report also goes to stdout as one document. */
function logRenderer(effects: Effects, { json }: { json: boolean }): RunRenderer {
  const log = jsonLog('info', effects.stderr)
  const isDue = newsEvery(LOG_EVERY_MS)
  return {
    step: (text) => log.info(text),
    progress(progress, allowed) {
      const { runId, phase, paused, slicesPlanned, slicesLoaded, slicesFailed, rows, calls } =
        progress
      const done = { runId, phase, paused, slicesPlanned, slicesLoaded, slicesFailed, rows, calls }
      if (!isDue(JSON.stringify(done))) return
      const { bytes } = progress
      log.info({ ...done, bytes, ...paceFacts(progress, Date.now(), allowed) }, 'progress')
    },
    note: (text) => log.warn(text),
    report(report) {
      if (json) printJson(effects, report)
    },
    close: () => undefined,
  }
}

/** Tells of each text whether it is due: it differs from the last one shown, which is older than `everyMs`. */
function newsEvery(everyMs: number): (text: string) => boolean {
  let lastMs = -Infinity
  let last = ''
  return (text) => {
    if (performance.now() - lastMs < everyMs || text === last) return false
    lastMs = performance.now()
    last = text
    return true
  }
}
