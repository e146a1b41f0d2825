import type { RunProgress } from '../../workflows/messages.ts'
import { printJson, type Effects } from '../effects.ts'
import { jsonLog } from '../run/json-log.ts'
import { newsEvery } from './news-every.ts'
import { paceFacts } from './run-pace.ts'
import type { RunRenderer } from './run-renderer.ts'

/** Shortest time between two log lines of progress, which is for people. */
const EVERY_MS = 10_000

/**
 * Renders a run as JSON log lines on stderr, beside those of the process.
 *
 * @param json whether the report also goes to stdout as one document
 */
export function logRenderer(effects: Effects, { json }: { json: boolean }): RunRenderer {
  const log = jsonLog('info', effects.stderr)
  const isDue = newsEvery(EVERY_MS)
  return {
    step: (text) => log.info(text),
    progress(progress: RunProgress, allowed) {
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
