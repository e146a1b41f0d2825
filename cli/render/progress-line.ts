import type { RunProgress } from '../../workflows/messages.ts'
import { approximateDuration, bytes, count, counted } from './quantities.ts'
import { callsPerMs, rateText, remainingMs, type AllowedRate } from './run-pace.ts'

/** ASCII, because a terminal of another encoding would garble a dot. */
const SEPARATOR = ' | '

/** The progress of a run in one line: phase, slices, rows, bytes, calls, used rate, time left. */
export function progressLine(
  progress: RunProgress,
  nowMs: number,
  allowed: AllowedRate = null,
): string {
  return progressParts(progress, nowMs, allowed).join(SEPARATOR)
}

/** The progress in as many lines as it needs, broken only between its parts. */
export function progressLines(
  progress: RunProgress,
  nowMs: number,
  columns: number,
  allowed: AllowedRate = null,
): string[] {
  const [phase = '', ...parts] = progressParts(progress, nowMs, allowed)
  const lines = [phase]
  for (const part of parts) {
    const longer = `${lines.at(-1)}${SEPARATOR}${part}`
    if (longer.length <= columns) lines[lines.length - 1] = longer
    else lines.push(part)
  }
  return lines
}

function progressParts(progress: RunProgress, nowMs: number, allowed: AllowedRate): string[] {
  const { slicesPlanned, slicesFailed, pages, pagesPlanned, rows, calls, phase } = progress
  // Pages beyond one a slice are mostly those of listings, which may be shorter than the plan counts.
  const isBound = pagesPlanned > slicesPlanned
  const parts = [progress.paused ? 'paused' : phase]
  if (pagesPlanned > 0) {
    const percent = Math.min(100, Math.floor((pages * 100) / pagesPlanned))
    // While publishing, the largest possible number of pages means nothing any more.
    const isOver = phase === 'publishing'
    const fetched = isBound
      ? `${count(pages)} of up to ${count(pagesPlanned)} pages fetched`
      : `${count(pages)} of ${count(pagesPlanned)} pages fetched (${percent} %)`
    parts.push(isOver ? `${counted(pages, 'page')} fetched` : fetched)
  }
  if (slicesFailed > 0) parts.push(`${counted(slicesFailed, 'slice')} failed`)
  parts.push(`${counted(rows, 'row')} loaded`)
  if (progress.bytes > 0) parts.push(bytes(progress.bytes))
  parts.push(counted(calls, 'call'))
  const used = callsPerMs(progress, allowed)
  if (used !== null) parts.push(rateText(used, allowed))
  const waitMs = progress.throttledUntilMs - nowMs
  if (waitMs > 0) parts.push(`the source says wait ${approximateDuration(waitMs)}`)
  const etaMs = remainingMs(progress, nowMs, allowed)
  if (etaMs !== null) {
    parts.push(`${isBound ? 'at most ' : ''}about ${approximateDuration(etaMs)} left`)
  }
  return parts
}
