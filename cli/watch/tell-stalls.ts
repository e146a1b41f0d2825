import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { alertOfStallOver, alertOfStall, type AlertOrigin } from '../../activities/alerts/alert.ts'
import type { StateReporter } from '../../activities/alerts/state-reporter.ts'
import { readStateFile, writeStateFile } from '../../activities/state-file.ts'
import type { RunMetrics } from './run-metrics.ts'
import type { Stall } from './stall-watch.ts'

export interface StallListeners {
  log: Logger
  say: (text: string) => void
  metrics: RunMetrics | null
  states: StateReporter | null
  stateDir: string
  place: () => AlertOrigin
}

/** An older note is ignored, because a worker looks each minute. */
const SEEN_WITHIN_MS = 5 * 60_000

/** Reports runs that begin to stand still or go on: log, metric, alert, and a note for `status`. */
export function stallTeller({ log, say, metrics, states, stateDir, place }: StallListeners) {
  let before = new Map<string, Stall>()
  return async (
    stalls: readonly Stall[],
    wentOn: (runId: string, afterMs: number) => boolean,
  ): Promise<void> => {
    metrics?.sampleStalls(stalls.map(({ since }) => place().nowMs - Date.parse(since)))
    const now = new Map(stalls.map((stall) => [stall.runId, stall]))
    for (const [runId, stall] of now) {
      if (before.get(runId)?.code === stall.code) continue
      log.warn(stall, 'stalled')
      say(`warning: ${stallText(stall)}`)
    }
    for (const runId of before.keys()) if (!now.has(runId)) log.info({ runId }, 'moves again')
    const hadStalls = before.size > 0
    before = now
    if (now.size > 0) {
      const seenAt = new Date(place().nowMs).toISOString()
      await writeStateFile(noteFile(stateDir), { seenAt, stalls }, 'STATE_NOT_WRITTEN')
    } else if (hadStalls) {
      rmSync(noteFile(stateDir), { force: true })
    }
    for (const stall of stalls) await states?.bad(alertOfStall(stall, place()), [stall.code])
    // Only the file knows alerts of another worker, or of this one before a restart.
    for (const { subject, since } of (await states?.list('stalled/')) ?? []) {
      const runId = subject.slice('stalled/'.length)
      if (now.has(runId) || !wentOn(runId, Date.parse(since))) continue
      await states?.well(alertOfStallOver({ runId, since }, place()))
    }
  }
}

/** The open runs that a worker has lately seen standing still. */
export function seenStalls(stateDir: string, nowMs: number): Stall[] {
  const seen = readStateFile(noteFile(stateDir)) as { seenAt: string; stalls: Stall[] } | null
  return seen !== null && nowMs - Date.parse(seen.seenAt) < SEEN_WITHIN_MS ? seen.stalls : []
}

export function stallText({ runId, since, reason, hint }: Stall): string {
  return `run ${runId} stands still since ${since}: ${reason}. ${hint}`
}

function noteFile(stateDir: string): string {
  return join(stateDir, 'stalled.json')
}
