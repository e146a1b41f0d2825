import type { Logger } from 'pino'
import type { RunEvent } from '../../activities/run-events.ts'

export function logEvent(log: Logger, event: RunEvent): void {
  const { kind, ...facts } = event
  const timed =
    'durationMs' in event ? { ...facts, durationMs: Math.round(event.durationMs) } : facts
  switch (event.kind) {
    case 'page':
      if (event.outcome === 'throttled') log.warn(timed, 'the source said wait')
      else if (event.leftOut !== undefined) log.warn(timed, 'the source refuses parameters')
      else if (event.outcome === 'page') log.debug(timed, 'page')
      else log.warn(timed, 'no page')
      return
    case 'planned':
    case 'loaded':
      return log.info(timed, kind)
    case 'slice_failed':
      return log.warn(facts, 'slice failed')
    case 'published': {
      const made = event.publications.map(({ publication, changed, path, rows, sizeBytes }) => {
        return { publication, changed, path, rows, sizeBytes }
      })
      return log.info({ ...timed, publications: made }, kind)
    }
    case 'ended': {
      const { runId, report } = event
      const { verdict, calls, rows, slices, fatal } = report
      const line = { runId, verdict, calls, rows, slices, fatal: fatal?.code ?? null }
      return verdict === 'complete' ? log.info(line, kind) : log.warn(line, kind)
    }
    case 'broken':
      return log.error(facts, 'the run ends without a report')
  }
}
