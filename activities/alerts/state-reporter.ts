import { join } from 'node:path'
import type { AlertEvent } from '../../config/settings/read-watching.ts'
import { readStateFile, writeStateFile } from '../state-file.ts'
import type { Alert } from './alert.ts'
import type { Alerter } from './alerter.ts'

interface ReportedState {
  event: AlertEvent
  /** All causes reported so far. A run that is partial and failed by turns raises no further alert. */
  causes: string[]
  /** Time of the first alert, ISO. */
  since: string
  /** Time of the last alert, epoch ms. */
  atMs: number
}

const REMIND_AFTER_MS = 86_400_000

export type StateReporter = ReturnType<typeof stateReporter>

/**
 * Raises an alert when a subject turns bad, once a day while it stays bad, and when it recovers. A file beside the
 * waiting alerts keeps the reported states. The next process then does not repeat their alerts.
 *
 * @param on the configured events; `bad` does nothing for others
 * @param dir `state/alerts` of the warehouse
 */
export function stateReporter(
  alerter: Pick<Alerter, 'raise'>,
  on: readonly AlertEvent[],
  dir: string,
) {
  const file = join(dir, 'told.json')
  // Read each time: several workers of a warehouse write the file.
  const read = (): Map<string, ReportedState> =>
    new Map(Object.entries((readStateFile(file) ?? {}) as Record<string, ReportedState>))
  // Written after the alert: a process killed in between repeats the alert under the same id.
  const write = (states: Map<string, ReportedState>): Promise<void> =>
    writeStateFile(file, Object.fromEntries(states), 'ALERT_NOT_KEPT')
  return {
    /** @param causes a new cause raises a new alert */
    async bad(alert: Alert, causes: readonly string[] = []): Promise<void> {
      if (!on.includes(alert.event)) return
      const states = read()
      const before = states.get(alert.subject)
      const atMs = Date.parse(alert.at)
      const { event, subject } = alert
      const all = new Set([...(before?.causes ?? []), event, ...causes])
      const isNew = all.size > (before?.causes.length ?? 0)
      if (before !== undefined && !isNew && atMs - before.atMs < REMIND_AFTER_MS) return
      const since = before?.since ?? alert.at
      await alerter.raise(before === undefined ? { ...alert, since } : reminderOf(alert, since))
      states.set(subject, { event, causes: [...all], since, atMs })
      await write(states)
    },
    /**
     * Does nothing for a subject that was not reported as bad.
     *
     * @param asked the datasets that a window has asked for. Causes of others keep a `partial` open. Absent: all datasets
     */
    async well(alert: Alert, asked?: readonly string[]): Promise<void> {
      const states = read()
      const before = states.get(alert.subject)
      if (before === undefined) return
      const left = before.causes.filter(
        (cause) => asked?.includes(datasetOf(cause) ?? '') === false,
      )
      // After a day another schedule may have taken the datasets over.
      const isRecent = Date.parse(alert.at) - before.atMs < REMIND_AFTER_MS
      const isOpen = isRecent && left.some((cause) => datasetOf(cause) !== null)
      if (before.event === 'partial' && isOpen) {
        states.set(alert.subject, { ...before, causes: left })
        return await write(states)
      }
      await alerter.raise({
        ...alert,
        since: before.since,
        text: `${alert.text} (${before.event} since ${before.since})`,
      })
      states.delete(alert.subject)
      await write(states)
    },
    /** Subjects that any process has reported as bad; `since` is ISO. */
    async list(prefix: string): Promise<{ subject: string; since: string }[]> {
      return [...read()].flatMap(([subject, { since }]) =>
        subject.startsWith(prefix) ? [{ subject, since }] : [],
      )
    },
    /** Forgets subjects that are no longer watched: nothing would report their recovery. */
    async keepOnly(isWatched: (subject: string) => boolean): Promise<void> {
      const states = read()
      const gone = [...states.keys()].filter((subject) => !isWatched(subject))
      for (const subject of gone) states.delete(subject)
      if (gone.length > 0) await write(states)
    },
  }
}

/** The dataset of a cause (alert.ts, `causesOf`); null: the cause is of the whole run. */
function datasetOf(cause: string): string | null {
  const [dataset, code] = cause.split(' ')
  return code === undefined ? null : dataset!
}

/** A reminder of an alert, with a new id: receivers drop a known one. */
function reminderOf(alert: Alert, since: string): Alert {
  const text = `${alert.text} (so since ${since})`
  return { ...alert, id: `${alert.id}/${alert.at.slice(0, 10)}`, since, text }
}
