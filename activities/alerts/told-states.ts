import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { AlertEvent } from '../../config/settings/read-watching.ts'
import { writeStateFile } from '../state-file.ts'
import type { Alert } from './alert.ts'
import type { Alerter } from './alerter.ts'

/** Tells of each subject when its state changes, once a day while it stays bad, and when it is well again. */
export interface ToldStates {
  /** @param causes beside the event; one that was not told yet is a change */
  bad(alert: Alert, causes?: readonly string[]): Promise<void>
  /** A subject that nothing bad was told of is dropped. */
  well(alert: Alert): Promise<void>
  /** States that any process has told and that are not well yet; `since` is ISO. */
  list(prefix: string): Promise<{ subject: string; since: string }[]>
  /** Forgets subjects that are watched no more: they are never well again. */
  keepOnly(isWatched: (subject: string) => boolean): Promise<void>
}

interface Told {
  event: AlertEvent
  /** All that were told since it is bad: runs that are partial and failed by turns, for one slice, are no news. */
  causes: string[]
  /** When the state began, as it was told, ISO. */
  since: string
  /** When it was told last, epoch ms. */
  atMs: number
}

const REMIND_AFTER_MS = 86_400_000

/**
 * A file beside the waiting alerts keeps the states that were told, so that the next process does not tell them again.
 *
 * @param on events that are asked for: a subject in another state stays as it was told
 * @param dir `state/alerts` of the warehouse
 */
export function toldStates(
  alerter: Pick<Alerter, 'tell'>,
  on: readonly AlertEvent[],
  dir: string,
): ToldStates {
  const file = join(dir, 'told.json')
  // Each time: workers of one warehouse tell by turns.
  const read = (): Promise<Map<string, Told>> => readTold(file)
  // After the telling: a process that is killed in between tells again, under the same id.
  const write = (told: Map<string, Told>): Promise<void> =>
    writeStateFile(file, Object.fromEntries(told), 'ALERT_NOT_KEPT')
  return {
    async bad(alert, causes = []) {
      if (!on.includes(alert.event)) return
      const told = await read()
      const before = told.get(alert.subject)
      const atMs = Date.parse(alert.at)
      const { event, subject } = alert
      const all = new Set([...(before?.causes ?? []), event, ...causes])
      const isNew = all.size > (before?.causes.length ?? 0)
      if (before !== undefined && !isNew && atMs - before.atMs < REMIND_AFTER_MS) return
      const since = before?.since ?? alert.at
      await alerter.tell(before === undefined ? { ...alert, since } : againOf(alert, since))
      told.set(subject, { event, causes: [...all], since, atMs })
      await write(told)
    },
    async well(alert) {
      const told = await read()
      const before = told.get(alert.subject)
      if (before === undefined) return
      await alerter.tell({
        ...alert,
        since: before.since,
        text: `${alert.text} (${before.event} since ${before.since})`,
      })
      told.delete(alert.subject)
      await write(told)
    },
    async list(prefix) {
      return [...(await read())].flatMap(([subject, { since }]) =>
        subject.startsWith(prefix) ? [{ subject, since }] : [],
      )
    },
    async keepOnly(isWatched) {
      const told = await read()
      const gone = [...told.keys()].filter((subject) => !isWatched(subject))
      for (const subject of gone) told.delete(subject)
      if (gone.length > 0) await write(told)
    },
  }
}

/** Receivers drop what comes under an id that they know. */
function againOf(alert: Alert, since: string): Alert {
  const text = `${alert.text} (so since ${since})`
  return { ...alert, id: `${alert.id}/${alert.at.slice(0, 10)}`, since, text }
}

async function readTold(file: string): Promise<Map<string, Told>> {
  try {
    return new Map(Object.entries(JSON.parse(await readFile(file, 'utf8')) as object))
  } catch {
    return new Map()
  }
}
