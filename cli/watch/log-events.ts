import type { Logger } from 'pino'
import type { RunEvent, RunObserver } from '../../activities/run-events.ts'

export function logEvents(log: Logger): RunObserver {
  return (event) => {
    const { kind, ...facts } = event
    write(log, kind, facts, event)
  }
}

function write(log: Logger, kind: RunEvent['kind'], facts: object, event: RunEvent): void {
  switch (event.kind) {
    case 'page': {
      const line = { ...facts, durationMs: Math.round(event.durationMs) }
      if (event.outcome === 'throttled') log.warn(line, 'the source said wait')
      else if (event.leftOut !== undefined) log.warn(line, 'the source refuses parameters')
      else if (event.outcome === 'page') log.debug(line, 'page')
      else log.warn(line, 'no page')
      return
    }
    case 'planned':
      return log.info(facts, kind)
    case 'loaded':
      return log.info({ ...facts, durationMs: Math.round(event.durationMs) }, kind)
    case 'slice_failed':
      return log.warn(facts, 'slice failed')
    case 'published': {
      const { runId, durationMs, publications } = event
      const made = publications.map(({ publication, changed, path, rows, sizeBytes }) => {
        return { publication, changed, path, rows, sizeBytes }
      })
      return log.info({ runId, durationMs: Math.round(durationMs), publications: made }, kind)
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
