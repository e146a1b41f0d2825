import type { RunEvent } from '../../activities/run-events.ts'
import { count, counted, tookText } from '../render/quantities.ts'

/** A line of a worker's journal for a run's begin, end, break or left-out parameters; null for other events. */
export function runLine(event: RunEvent): string | null {
  switch (event.kind) {
    case 'planned': {
      const what =
        event.slices === 0 ? 'nothing is due' : `${counted(event.slices, 'slice')} to fetch`
      return `${nameOf(event)} begun: ${what}`
    }
    case 'ended': {
      const { verdict, slices, calls, rows, fatal, startedAt, finishedAt } = event.report
      const failed = slices.failed + slices.missing
      const facts = [
        `${counted(slices.planned, 'slice')}${failed === 0 ? '' : ` (${count(failed)} not loaded)`}`,
        counted(calls, 'call'),
        counted(rows, 'row'),
        tookText(Date.parse(finishedAt) - Date.parse(startedAt)),
      ]
      const why = fatal === null ? '' : `; ${fatal.code}: ${fatal.reason}`
      return `${nameOf(event)} ${verdict}: ${facts.join(', ')}${why}`
    }
    case 'page': {
      const { runId, dataset, leftOut } = event
      if (leftOut === undefined) return null
      return `run ${runId}: the source refuses parameters (${leftOut.join(', ')}): ${dataset} is fetched without them`
    }
    case 'broken':
      return `${nameOf(event)} broke off: ${event.code}: ${event.reason}`
    default:
      return null
  }
}

function nameOf({ runId, schedule }: { runId: string; schedule: string }): string {
  return schedule === '' ? `run ${runId}` : `run ${runId} of schedule ${schedule}`
}
