import { setTimeout as sleepMs } from 'node:timers/promises'
import type { AlertsConfig } from '../../config/settings/read-watching.ts'
import type { Alert } from './alert.ts'
import { alertOutbox } from './alert-outbox.ts'

export interface AlerterOptions {
  alerts: AlertsConfig
  /** The folder of unaccepted alerts. */
  dir: string
  /** Sends one alert. The signal fires at the end of the process. */
  send: (target: AlertsConfig['target'], alert: Alert, signal: AbortSignal) => Promise<void>
  /** Called for each failed try and for each dropped alert. */
  onTrouble: (trouble: AlertTrouble) => void
  onSent?: (alert: Alert) => void
  /** Default: the real clock. A simulation has its own. */
  nowMs?: () => number
  sleep?: (ms: number, signal: AbortSignal) => Promise<void>
}

export interface AlertTrouble {
  alert: Alert
  /** Without the receiver's address. */
  reason: string
  /** Whether the alert is dropped. */
  isGivenUp: boolean
}

/** Sends alerts, and repeats failed sends while the process lives. */
export interface Alerter {
  /** Writes the alert to disk; the send follows. Drops events that are not configured. */
  raise(alert: Alert): Promise<void>
  /** Waits for sends under way, at most `patienceMs`. @returns the unsent alerts */
  close(patienceMs: number): Promise<Alert[]>
}

/** Pauses between tries; the last one repeats. */
const PAUSES_MS = [1_000, 5_000, 30_000, 120_000, 300_000]
/** An alert that is not accepted within a day is dropped. */
const GIVE_UP_MS = 86_400_000

const realSleep = (ms: number, signal: AbortSignal): Promise<void> =>
  sleepMs(ms, undefined, { signal })

/**
 * Sends alerts at least once. A folder keeps each alert until its receiver has accepted it. The next process of the
 * warehouse sends the rest.
 */
export function createAlerter(options: AlerterOptions): Alerter {
  const { alerts, send, onTrouble, onSent } = options
  const nowMs = options.nowMs ?? Date.now
  const sleep = options.sleep ?? realSleep
  const outbox = alertOutbox(options.dir)
  const closing = new AbortController()
  let failedTries = 0
  let nextAlert = Promise.withResolvers<void>()
  /** Alerts raised and alerts sent. Unequal at first: `close` must wait for the alerts of earlier processes too. */
  let alertCount = 1
  let sentCount = 0

  const isWaiting = (): boolean => sentCount < alertCount

  /** Alerts that are accepted or given up, but whose files could not be removed yet. */
  const settled = new Set<string>()

  async function sendAll(): Promise<boolean> {
    for (const { alert, sinceMs } of await outbox.waiting()) {
      if (settled.has(alert.id)) {
        await removeSettled(alert.id)
        continue
      }
      try {
        await send(alerts.target, alert, closing.signal)
        onSent?.(alert)
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error)
        const isGivenUp = nowMs() - sinceMs >= GIVE_UP_MS
        onTrouble({ alert, reason, isGivenUp })
        // All alerts have the same receiver, so the rest waits too.
        if (!isGivenUp) return false
      }
      settled.add(alert.id)
      await removeSettled(alert.id)
    }
    return settled.size === 0
  }

  async function removeSettled(id: string): Promise<void> {
    const isRemoved = await outbox.remove(id).then(
      () => true,
      () => false,
    )
    if (isRemoved) settled.delete(id)
  }

  async function work(): Promise<void> {
    const closed = untilAborted(closing.signal)
    while (!closing.signal.aborted) {
      const newAlert = nextAlert.promise
      const seen = alertCount
      const isDone = await sendAll()
      failedTries = isDone ? 0 : failedTries + 1
      if (isDone) {
        sentCount = seen
        await Promise.race([newAlert, closed])
      } else {
        const pauseMs = PAUSES_MS[Math.min(failedTries, PAUSES_MS.length) - 1]!
        await sleep(pauseMs, closing.signal).catch(() => undefined)
      }
    }
  }

  const working = work().catch(() => undefined)
  return {
    async raise(alert) {
      if (!alerts.on.includes(alert.event)) return
      await outbox.put(alert, nowMs())
      alertCount += 1
      const { resolve } = nextAlert
      nextAlert = Promise.withResolvers<void>()
      resolve()
    },
    async close(patienceMs) {
      const untilMs = nowMs() + patienceMs
      const never = new AbortController().signal
      while (isWaiting() && nowMs() < untilMs) await sleep(POLL_MS, never)
      closing.abort()
      const ended = new AbortController()
      const patience = sleep(ABORT_PATIENCE_MS, ended.signal).catch(() => undefined)
      await Promise.race([working, patience])
      ended.abort()
      return (await outbox.waiting()).map(({ alert }) => alert)
    },
  }
}

const POLL_MS = 20
/** Time for an aborted send to end. */
const ABORT_PATIENCE_MS = 1_000

function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve()
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
