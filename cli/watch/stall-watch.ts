import type { AlertStall } from '../../activities/alerts/alert.ts'
import type { RunEvent } from '../../activities/run-events.ts'
import type { RunProgress } from '../../workflows/messages.ts'

export interface SeenRun {
  runId: string
  /** null = begun by hand. */
  schedule: string | null
  /** null = no worker polls for it, or has begun its present history. */
  progress: RunProgress | null
  /** Its task queues that no worker polls or has work of. */
  unpolled: readonly string[]
}

/** Other causes that hold pages up, in this process. */
export interface Surroundings {
  /** Requests that wait for a permit. */
  waiting: number
  /** Whether the disk of the stage has room for answers. */
  hasRoom: boolean
}

/** A run without a page for longer than any demanded wait. */
export interface Stall extends AlertStall {
  /** The time of its last page, or the end of a demanded wait, ISO. */
  since: string
  code: 'QUEUE_NOT_POLLED' | 'NO_ROOM' | 'SOURCE_FAULT' | 'NO_PERMIT' | 'SOURCE_SILENT'
}

const HINTS: Readonly<Record<Stall['code'], string>> = {
  QUEUE_NOT_POLLED:
    'Start `coinlake worker` of this version for this warehouse, or end the run with `coinlake cancel`.',
  NO_ROOM: 'Free some space: `coinlake prune` removes expired files.',
  SOURCE_FAULT:
    'Look at the source with `coinlake doctor`; the run goes on by itself when the source works again.',
  NO_PERMIT:
    'See who else uses the key, and whether the Temporal server answers: `coinlake doctor`.',
  SOURCE_SILENT:
    'Look at the source with `coinlake doctor`; after `coinlake cancel` the same command goes on from the staged pages.',
}

/** Without a poller nothing comes, so this time is short. */
const UNPOLLED_AFTER_MS = 60_000
/** A page with all its tries takes less. */
const SILENT_AFTER_MS = 5 * 60_000
/** Only these phases bring pages; a publication may take long. */
const FETCHING: readonly string[] = ['choosing', 'planning', 'fetching']

/** Finds runs that stand still, by comparing each look with the earlier ones. */
export function stallWatch() {
  /** `wentOnAtMs`: time of the last look that found progress; -Infinity = none yet. */
  const moved = new Map<string, { mark: string; atMs: number; wentOnAtMs: number }>()
  const faults = new Map<string, string>()

  /** The time since which a run stands still. */
  function sinceOf({ runId, progress }: SeenRun, nowMs: number): number {
    const before = moved.get(runId)
    const mark = progress === null ? (before?.mark ?? '') : markOf(progress)
    const isMoving = progress !== null && (progress.paused || !FETCHING.includes(progress.phase))
    const atMs = before === undefined || before.mark !== mark || isMoving ? nowMs : before.atMs
    const waitedUntilMs = Math.max(atMs, Math.min(nowMs, progress?.throttledUntilMs ?? 0))
    const hasMark = before !== undefined && before.mark !== ''
    const wentOn = isMoving || (hasMark && before.mark !== mark)
    const wentOnAtMs = wentOn ? nowMs : (before?.wentOnAtMs ?? -Infinity)
    moved.set(runId, { mark, atMs: waitedUntilMs, wentOnAtMs })
    return waitedUntilMs
  }

  function causeOf(run: SeenRun, at: Surroundings, silentMs: number): Cause | null {
    if (run.unpolled.length > 0 && silentMs >= UNPOLLED_AFTER_MS) {
      return { code: 'QUEUE_NOT_POLLED', reason: `nobody polls ${run.unpolled.join(', ')}` }
    }
    if (silentMs < SILENT_AFTER_MS) return null
    if (!at.hasRoom) {
      return { code: 'NO_ROOM', reason: 'the disk of the stage has no room for answers' }
    }
    const fault = faults.get(run.runId)
    if (fault !== undefined) {
      return { code: 'SOURCE_FAULT', reason: `the last try of a page ended with ${fault}` }
    }
    if (at.waiting === 0) {
      return { code: 'SOURCE_SILENT', reason: 'no answer has come, and none has failed' }
    }
    const reason = `${at.waiting} requests wait for a permit, and the budget of the key gives none`
    return { code: 'NO_PERMIT', reason }
  }

  return {
    /** Notes the outcome of this process's pages. */
    note(event: RunEvent): void {
      if (event.kind !== 'page') return
      if (event.outcome === 'page') faults.delete(event.runId)
      else faults.set(event.runId, event.outcome)
    },
    /** The open runs that stand still. Other runs are forgotten. */
    stalled(runs: readonly SeenRun[], at: Surroundings, nowMs: number): Stall[] {
      const open = new Set(runs.map(({ runId }) => runId))
      for (const known of [moved, faults]) {
        for (const runId of known.keys()) if (!open.has(runId)) known.delete(runId)
      }
      return runs.flatMap((run) => {
        const sinceMs = sinceOf(run, nowMs)
        const cause = causeOf(run, at, nowMs - sinceMs)
        if (cause === null) return []
        const { runId, schedule } = run
        const since = new Date(sinceMs).toISOString()
        return [{ runId, schedule, since, ...cause, hint: HINTS[cause.code] }]
      })
    },
    /** Whether a run has made progress after that time, or has ended. */
    wentOn: (runId: string, afterMs: number): boolean => {
      const known = moved.get(runId)
      return known === undefined || known.wentOnAtMs > afterMs
    },
  }
}

type Cause = Pick<Stall, 'code' | 'reason'>

function markOf({ phase, pages, rows, slicesFailed }: RunProgress): string {
  return `${phase} ${pages} ${rows} ${slicesFailed}`
}
