import type { RunProgress } from '../../workflows/messages.ts'
import { approximateDuration, count, counted } from './quantities.ts'

/** ASCII, since a terminal of another encoding would show two odd characters instead of a dot. */
const SEPARATOR = ' | '

/** One line that says where a run stands: phase, slices, rows, calls, and when it will be done. */
export function progressLine(progress: RunProgress, nowMs: number, since?: PaceStart): string {
  return progressParts(progress, nowMs, since).join(SEPARATOR)
}

/** The same in as many lines as it takes so that none is broken in the middle of a word. */
export function progressLines(
  progress: RunProgress,
  nowMs: number,
  columns: number,
  since?: PaceStart,
): [string, ...string[]] {
  const [phase = '', ...parts] = progressParts(progress, nowMs, since)
  const lines: [string, ...string[]] = [phase]
  for (const part of parts) {
    const longer = `${lines.at(-1)}${SEPARATOR}${part}`
    if (longer.length <= columns) lines[lines.length - 1] = longer
    else lines.push(part)
  }
  return lines
}

function progressParts(progress: RunProgress, nowMs: number, since?: PaceStart): string[] {
  const { slicesLoaded, slicesFailed, slicesPlanned, rows, calls } = progress
  const parts = [progress.paused ? 'paused' : progress.phase]
  if (slicesPlanned > 0) {
    const percent = Math.floor(((slicesLoaded + slicesFailed) / slicesPlanned) * 100)
    parts.push(`${count(slicesLoaded)} of ${count(slicesPlanned)} slices loaded (${percent} %)`)
  }
  if (slicesFailed > 0) parts.push(`${count(slicesFailed)} failed`)
  parts.push(counted(rows, 'row'), counted(calls, 'call'))
  const waitMs = progress.throttledUntilMs - nowMs
  if (waitMs > 0) parts.push(`the source says wait ${approximateDuration(waitMs)}`)
  const etaMs = remainingMs(progress, nowMs, since)
  if (etaMs !== null) parts.push(`about ${approximateDuration(etaMs)} left`)
  return parts
}

/** When, and with how many slices behind it, a run was first seen by who shows it. */
export interface PaceStart {
  atMs: number
  ended: number
}

/**
 * Where the pace of a run is measured from: the first look at which it fetched. A run that was broken
 * off and goes on has a start long ago, and would seem to take for ever.
 */
export function createPaceStart(): (progress: RunProgress, nowMs: number) => PaceStart | undefined {
  let start: PaceStart | undefined
  return (progress, nowMs) => {
    if (progress.phase === 'fetching' && !progress.paused) {
      start ??= { atMs: nowMs, ended: endedSlices(progress) }
    } else {
      start = undefined
    }
    return start
  }
}

/** Time left at the pace since `since`, or since the run began; null while there is too little to tell. */
export function remainingMs(
  progress: RunProgress,
  nowMs: number,
  since: PaceStart = { atMs: progress.startedAtMs, ended: 0 },
): number | null {
  const ended = endedSlices(progress)
  const done = ended - since.ended
  if (progress.phase !== 'fetching' || progress.paused || done <= 0) return null
  const left = progress.slicesPlanned - ended
  return left <= 0 ? null : ((nowMs - since.atMs) / done) * left
}

function endedSlices({ slicesLoaded, slicesFailed }: RunProgress): number {
  return slicesLoaded + slicesFailed
}
