import { setTimeout as sleepMs } from 'node:timers/promises'
import type { AlertsConfig } from '../../config/settings/read-watching.ts'
import type { Alert } from './alert.ts'
import { alertOutbox } from './alert-outbox.ts'

export interface AlerterOptions {
  alerts: AlertsConfig
  /** Where alerts wait that were not taken yet. */
  dir: string
  /** Given up when the signal says so: the process ends. */
  send: (target: AlertsConfig['target'], alert: Alert, signal: AbortSignal) => Promise<void>
  /** Told of every try that failed, and of alerts that are given up. */
  onTrouble: (trouble: AlertTrouble) => void
  onSent?: (alert: Alert) => void
  /** The real clock and its timers unless a simulation says otherwise. */
  nowMs?: () => number
  sleep?: (ms: number, signal: AbortSignal) => Promise<void>
}

export interface AlertTrouble {
  alert: Alert
  /** Without the address. */
  reason: string
  /** It is not tried any more. */
  isGivenUp: boolean
}

/** Tells what is worth telling, and goes on trying while its process lives. */
export interface Alerter {
  /** Keeps the alert before it returns, then sends it. An event that nobody asked for is dropped. */
  tell(alert: Alert): Promise<void>
  /** Waits for what is on its way, so long at most. @returns what waits on. */
  close(patienceMs: number): Promise<Alert[]>
}

/** Pauses between tries; the last one repeats. */
const PAUSES_MS = [1_000, 5_000, 30_000, 120_000, 300_000]
/** What nobody has taken for a day is no news any more. */
const GIVE_UP_MS = 86_400_000

const realSleep = (ms: number, signal: AbortSignal): Promise<void> =>
  sleepMs(ms, undefined, { signal })

/**
 * Sends alerts at least once. They lie in a folder until their receiver has taken them: a process that
 * is killed, or that ends while the receiver is down, leaves them to the next one on this warehouse.
 */
export function createAlerter(options: AlerterOptions): Alerter {
  const { alerts, send, onTrouble, onSent } = options
  const nowMs = options.nowMs ?? Date.now
  const sleep = options.sleep ?? realSleep
  const outbox = alertOutbox(options.dir)
  const closing = new AbortController()
  let failedTries = 0
  let news = Promise.withResolvers<void>()
  /** How many alerts were told, and up to which of them none waits. The first look is for old ones. */
  let told = 1
  let done = 0

  const isWaiting = (): boolean => done < told

  async function sendAll(): Promise<boolean> {
    for (const { alert, sinceMs } of await outbox.waiting()) {
      try {
        await send(alerts.target, alert, closing.signal)
        await outbox.remove(alert.id)
        onSent?.(alert)
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error)
        const isGivenUp = nowMs() - sinceMs >= GIVE_UP_MS
        if (isGivenUp) await outbox.remove(alert.id)
        onTrouble({ alert, reason, isGivenUp })
        // The others go to the same receiver.
        if (!isGivenUp) return false
      }
    }
    return true
  }

  async function work(): Promise<void> {
    const closed = aborted(closing.signal)
    while (!closing.signal.aborted) {
      const heard = news.promise
      const seen = told
      const isDone = await sendAll()
      failedTries = isDone ? 0 : failedTries + 1
      if (isDone) {
        done = seen
        await Promise.race([heard, closed])
      } else {
        const pauseMs = PAUSES_MS[Math.min(failedTries, PAUSES_MS.length) - 1]!
        await sleep(pauseMs, closing.signal).catch(() => undefined)
      }
    }
  }

  const working = work().catch(() => undefined)
  return {
    async tell(alert) {
      if (!alerts.on.includes(alert.event)) return
      await outbox.put(alert, nowMs())
      told += 1
      const { resolve } = news
      news = Promise.withResolvers<void>()
      resolve()
    },
    async close(patienceMs) {
      const untilMs = nowMs() + patienceMs
      const never = new AbortController().signal
      while (isWaiting() && nowMs() < untilMs) await sleep(LOOK_EVERY_MS, never)
      closing.abort()
      const ended = new AbortController()
      const patience = sleep(CALLED_BACK_MS, ended.signal).catch(() => undefined)
      await Promise.race([working, patience])
      ended.abort()
      return (await outbox.waiting()).map(({ alert }) => alert)
    },
  }
}

const LOOK_EVERY_MS = 20
/** What was called back is off at once; whatever is not holds no process up. */
const CALLED_BACK_MS = 1_000

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve()
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
