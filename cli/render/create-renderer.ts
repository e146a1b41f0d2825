import type { LogConfig } from '../../config/settings/read-watching.ts'
import { printJson, say, type Effects } from '../effects.ts'
import { logRenderer } from './log-renderer.ts'
import { newsEvery } from './news-every.ts'
import { progressLine } from './progress-line.ts'
import { reportText } from './report-text.ts'
import type { RunRenderer } from './run-renderer.ts'

/** Shortest time between two lines of progress outside of a terminal. */
const PLAIN_EVERY_MS = 5_000

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
  const { ttyRenderer } = await import('./tty-renderer.ts')
  return ttyRenderer(effects)
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
