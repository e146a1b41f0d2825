import { setTimeout as sleepMs } from 'node:timers/promises'
import type { AlertsConfig } from '../../config/settings/read-watching.ts'
import type { Alert } from './alert.ts'
import { alertOutbox } from './alert-outbox.ts'

export interface AlerterOptions {
  alerts: AlertsConfig
  /** The folder of unaccepted alerts. */
  dir: string
  /** Sends one alert. The signal fires at the end of the process. */
  send: (receiver: AlertsConfig['receiver'], alert: Alert, signal: AbortSignal) => Promise<void>
  /** Called for each failed try and for each dropped alert. */
  onTrouble: (trouble: AlertTrouble) => void
  onSent?: (alert: Alert) => void
  /** Default: the real clock. A simulation has its own. */
  nowMs?: () => number
  sleep?: (ms: number, signal: AbortSignal) => Promise<void>
}

export interface AlertTrouble {
  alert: Alert
  /** Has at most the origin of the receiver's address. */
  reason: string
  /** Whether the alert is dropped. */
  isGivenUp: boolean
}

/** Pauses after the first failed tries. */
const PAUSES_MS = [1_000, 5_000, 30_000, 120_000]
const LONGEST_PAUSE_MS = 300_000
/** Time for an aborted send to end. */
const ABORT_PATIENCE_MS = 1_000
/** An alert that is not accepted within a day is dropped. */
const GIVE_UP_MS = 86_400_000

const realSleep = (ms: number, signal: AbortSignal): Promise<void> =>
  sleepMs(ms, undefined, { signal })

export type Alerter = ReturnType<typeof createAlerter>

/**
 * Sends alerts at least once, and repeats failed sends while the process lives. A folder keeps each alert until its
 * receiver has accepted it. The next process of the warehouse sends the rest.
 */
export function createAlerter(options: AlerterOptions) {
  const { alerts, send, onTrouble, onSent, nowMs = Date.now, sleep = realSleep } = options
  const outbox = alertOutbox(options.dir)
  const closing = new AbortController()
  /** Whether the work ends as soon as all alerts are sent. */
  let isClosing = false
  /** Resolves with the next raised alert, and when the alerter closes. */
  let news = Promise.withResolvers<void>()

  function tellNews(): void {
    news.resolve()
    news = Promise.withResolvers<void>()
  }

  async function sendAll(): Promise<boolean> {
    for (const { alert, sinceMs } of await outbox.waiting()) {
      try {
        await send(alerts.receiver, alert, closing.signal)
        onSent?.(alert)
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error)
        const isGivenUp = nowMs() - sinceMs >= GIVE_UP_MS
        onTrouble({ alert, reason, isGivenUp })
        // All alerts have the same receiver, so the rest waits too.
        if (!isGivenUp) return false
      }
      // An alert whose file stays is sent again with the next one. Receivers know its id.
      await outbox.remove(alert.id).catch(() => undefined)
    }
    return true
  }

  async function work(): Promise<void> {
    for (let failedTries = 0; !closing.signal.aborted;) {
      const [next, isLast] = [news.promise, isClosing]
      if (await sendAll()) {
        if (isLast) return
        failedTries = 0
        await next
      } else {
        const pauseMs = PAUSES_MS[failedTries] ?? LONGEST_PAUSE_MS
        failedTries += 1
        await sleep(pauseMs, closing.signal).catch(() => undefined)
      }
    }
  }

  const working = work().catch(() => undefined)

  /** Waits for the end of the work, at most `ms`. */
  async function workWithin(ms: number): Promise<void> {
    const ended = new AbortController()
    await Promise.race([working, sleep(ms, ended.signal).catch(() => undefined)])
    ended.abort()
  }

  return {
    /** Writes the alert to disk; the send follows. Drops events that are not configured. */
    async raise(alert: Alert): Promise<void> {
      if (!alerts.on.includes(alert.event)) return
      await outbox.put(alert, nowMs())
      tellNews()
    },
    /** Waits for sends under way, at most `patienceMs`. @returns the unsent alerts */
    async close(patienceMs: number): Promise<Alert[]> {
      isClosing = true
      tellNews()
      await workWithin(patienceMs)
      closing.abort()
      await workWithin(ABORT_PATIENCE_MS)
      return (await outbox.waiting()).map(({ alert }) => alert)
    },
  }
}
