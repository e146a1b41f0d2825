import { setTimeout as sleepMs } from 'node:timers/promises'
import { join } from 'node:path'
import { LRUCache } from 'lru-cache'
import type { Logger } from 'pino'
import {
  alertOfBrokenRun,
  alertOfGoneSchedule,
  alertOfRun,
  causesOf,
} from '../../activities/alerts/alert.ts'
import type { AlertOrigin } from '../../activities/alerts/alert.ts'
import { createAlerter } from '../../activities/alerts/alerter.ts'
import { sendAlert } from '../../activities/alerts/send-alert.ts'
import { stateReporter } from '../../activities/alerts/state-reporter.ts'
import type { RunEvent } from '../../activities/run-events.ts'
import type { Clock } from '../../config/clock.ts'
import type { Config } from '../../config/config.ts'
import { requireAlerts } from '../../config/require-alerts.ts'
import { wantedFromConfig } from '../../config/wanted.ts'
import { datasets } from '../../datasets/index.ts'
import { gapsIn } from '../gaps/look-for-gaps.ts'
import { freshnessFacts } from '../freshness/freshness-facts.ts'
import type { OpenWarehouse } from '../run/open-warehouse.ts'
import { coinlakeVersion } from '../version.ts'
import { watchLoop } from './blocked-loop.ts'
import { coverageShares, type KeySample, type RunMetrics } from './run-metrics.ts'
import { logEvent } from './log-events.ts'
import { runLine } from './run-lines.ts'
import { stallWatch, type SeenRun, type Surroundings } from './stall-watch.ts'
import { alertStale } from './alert-stale.ts'
import { stallTeller } from './tell-stalls.ts'

export interface WatchOptions {
  config: Config
  clock: Clock
  env: Readonly<Record<string, string | undefined>>
  warehouse: Pick<OpenWarehouse, 'paths'> & { store: Pick<OpenWarehouse['store'], 'query'> }
  log: Logger
  /** null = no metrics are configured. */
  metrics: RunMetrics | null
  keys: () => readonly KeySample[]
  /** The open runs, and the causes that hold pages up here. */
  runs: { findOpen: () => Promise<SeenRun[]>; surroundings: () => Promise<Surroundings> }
  /** Default: a minute. */
  lookEveryMs?: number
  say: (text: string) => void
  /** Prints a line when a run begins or ends; absent = the run has its own progress line. */
  tellRun?: ((line: string) => void) | undefined
}

const SAMPLE_EVERY_MS = 5_000
/** Time between two reads of freshness from the tables; each end of a run reads it, too. */
const LOOK_EVERY_MS = 60_000
/** A run silent for longer counts as over, because a run ended by force reports no end. */
const OVER_AFTER_MS = 15 * 60_000
/** The number of runs that are remembered, because a worker lives for years. */
const KEPT_RUNS = 100
/** Longest wait for a receiver at the end; the next process sends the rest. */
const PATIENCE_MS = 8_000

/**
 * Watches the work of this process: its log, its metrics, its alerts.
 *
 * @throws ConfigError CONFIG_NO_ALERT_TARGET
 */
export function watchProcess(options: WatchOptions) {
  const { config, clock, env, warehouse, log, metrics, keys, runs: open, say, tellRun } = options
  const { lookEveryMs = LOOK_EVERY_MS } = options
  const { store } = warehouse
  const alerts = requireAlerts(config)
  const dir = join(warehouse.paths.stateDir, 'alerts')
  const place = (): AlertOrigin => {
    return { warehouse: warehouse.paths.root, coinlakeVersion, nowMs: Date.now() }
  }
  const alerter =
    alerts &&
    createAlerter({
      alerts,
      dir,
      send: (to, alert, signal) => sendAlert(to, alert, { env, signal }),
      onSent: ({ id }) => log.info({ alert: id }, 'alert sent'),
      onTrouble: ({ alert: { id, text }, reason, isGivenUp }) => {
        if (isGivenUp) say(`warning: an alert was given up after a day: ${text} (${reason})`)
        const line = { alert: id, reason }
        if (isGivenUp) log.error(line, 'alert given up')
        else log.warn(line, 'alert not taken; it is tried again')
      },
    })
  const states = alerter && stateReporter(alerter, alerts.on, dir)
  const closing = new AbortController()
  const loop = watchLoop(log)

  async function tell(event: RunEvent): Promise<void> {
    if (states === null) return
    // A full disk must not keep a run from ending.
    await quietly('alert not kept', async () => {
      if (event.kind === 'broken') return states.bad(alertOfBrokenRun(event, place()), [event.code])
      if (event.kind !== 'ended') return
      const alert = alertOfRun(event.report, event.schedule, place())
      const asked = event.report.datasets.filter(({ planned }) => planned > 0)
      const names = asked.map(({ dataset }) => dataset)
      // By hand, a run of an ended history may never have anything to ask for again.
      const known = event.schedule === '' ? undefined : names
      if (alert?.event === 'recovered') await states.well(alert, known)
      else if (alert !== null) await states.bad(alert, causesOf(event.report))
    })
  }

  /** Whether each run is open. While one is, data may be stale without an alert. */
  const isOpen = new LRUCache<string, boolean>({ max: KEPT_RUNS, ttl: OVER_AFTER_MS })
  function noteRun({ kind, runId }: RunEvent): void {
    const isEnd = kind === 'ended' || kind === 'broken'
    // A page in flight at the end of its run does not open the run again.
    if (isEnd || (runId !== '' && isOpen.get(runId) !== false)) isOpen.set(runId, !isEnd)
  }
  async function lookAtFreshness(mayTell: boolean): Promise<void> {
    if (states === null && metrics === null) return
    await quietly('freshness cannot be looked at', async () => {
      const freshness = await freshnessFacts(store.query, { config, nowMs: clock.nowMs() })
      metrics?.sampleFreshness(freshness)
      const hasOpenRun = [...isOpen.values()].includes(true)
      if (states !== null && mayTell && !hasOpenRun) {
        await alertStale(states, freshness, place())
      }
    })
  }

  async function lookAtCoverage(): Promise<void> {
    if (metrics === null) return
    await quietly('coverage cannot be looked at', async () => {
      const wanted = wantedFromConfig(config, datasets, clock)
      const ledger = { rows: store.query, source: 'store' as const, note: null }
      metrics.sampleCoverage(
        coverageShares((await gapsIn(ledger, { config, wanted, clock })).intervals),
      )
    })
  }

  const stalls = stallWatch()
  const { stateDir } = warehouse.paths
  const tellStalls = stallTeller({ log, say, metrics, states, stateDir, place })
  async function lookAtStalls(): Promise<void> {
    await quietly('open runs cannot be looked at', async () => {
      const found = stalls.stalled(await open.findOpen(), await open.surroundings(), Date.now())
      await tellStalls(found, stalls.wentOn)
    })
  }

  async function quietly(what: string, work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      log.warn({ reason: error instanceof Error ? error.message : String(error) }, what)
    }
  }

  async function sampling(): Promise<void> {
    let lookedAtMs = -Infinity
    await lookAtCoverage()
    while (!closing.signal.aborted) {
      metrics?.sampleKeys(keys())
      if (performance.now() - lookedAtMs >= lookEveryMs) {
        const isFirst = lookedAtMs === -Infinity
        lookedAtMs = performance.now()
        await lookAtFreshness(!isFirst)
        // A run that has just begun may stand still for a moment.
        if (!isFirst) await lookAtStalls()
      }
      const { signal } = closing
      const pauseMs = Math.min(SAMPLE_EVERY_MS, lookEveryMs)
      await sleepMs(pauseMs, undefined, { signal }).catch(() => undefined)
    }
  }

  const sampled = sampling()
  return {
    observe: async (event: RunEvent): Promise<void> => {
      logEvent(log, event)
      noteRun(event)
      stalls.note(event)
      const line = runLine(event)
      if (line !== null) tellRun?.(line)
      metrics?.observe(event)
      await tell(event)
      if (event.kind !== 'ended') return
      await lookAtFreshness(true)
      await lookAtCoverage()
    },
    alertScheduleGone: async (schedule: string): Promise<void> => {
      await quietly('alert not kept', async () => {
        await states?.bad(alertOfGoneSchedule(schedule, place()), ['SCHEDULE_GONE'])
      })
    },
    /** Sends the remaining alerts, and reports those that could not be sent. */
    async close(): Promise<void> {
      closing.abort()
      loop.close()
      await sampled
      metrics?.sampleKeys(keys())
      const left = (await alerter?.close(PATIENCE_MS)) ?? []
      for (const { text } of left) {
        say(`warning: alert not sent yet: ${text}; the next worker or run here tries again`)
      }
    },
  }
}
