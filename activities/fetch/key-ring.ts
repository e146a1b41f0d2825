import type { SourceClient } from '../../api/client.ts'
import { CoinlakeError } from '../../config/coinlake-error.ts'
import type { ExitCode } from '../../config/coinlake-error.ts'
import { failureFactsOf } from '../activity-failure.ts'
import type { FetchPageResult } from '../activity-types.ts'
import type { FatalCause, LostKeyFacts } from '../run-report.ts'

/** A key of this process's configuration, and its client. */
export interface SourceKey {
  keyId: string
  client: SourceClient
}

/** The keys of this process in one run. */
export interface KeyRing {
  /** Fetches a page with the key that has the fewest pages under way. */
  ask(use: (client: SourceClient) => Promise<FetchPageResult>): Promise<FetchPageResult>
  /** Keys that take no more calls of the run. */
  lost(): LostKeyFacts[]
}

/** A run in this process. */
export interface ProcessRun {
  keys: KeyRing
  /** The fault that ends all batches of the run; null = none. */
  fatal: FatalCause | null
}

/** All keys are refused or used up (only thrown with two or more keys). */
class KeysLostError extends CoinlakeError {
  override readonly exitCode: ExitCode
  readonly untilMs: number | undefined

  constructor(message: string, { code, hint, exitCode, untilMs }: FatalCause) {
    super(message, { code, hint })
    this.exitCode = exitCode as ExitCode
    this.untilMs = untilMs
  }
}

interface RingedKey extends SourceKey {
  inFlight: number
  /** The ring's count of pages when this key got its last one. */
  lastTurn: number
  /** The key gets no page before this time, epoch ms; 0 = not blocked. */
  blockedUntilMs: number
  lost: FatalCause | null
}

/** Faults of one key, not of all: the source refuses the key, or its month is used up. */
const OF_ONE_KEY: ReadonlySet<string> = new Set(['SOURCE_AUTH', 'MONTH_SPENT'])
/** Concurrent runs of one process: a backfill and a few schedules. */
const MOST_RUNS = 16

/** Looks runs up. Each run has a ring of its own, so that the next run tries a refused key again. */
export function processRuns(keys: readonly SourceKey[]): (runId: string) => ProcessRun {
  const runs = new Map<string, ProcessRun>()
  return (runId) => {
    const run = runs.get(runId) ?? { keys: keyRing(keys), fatal: null }
    runs.delete(runId)
    runs.set(runId, run)
    const [oldest] = runs.keys()
    if (runs.size > MOST_RUNS && oldest !== undefined) runs.delete(oldest)
    return run
  }
}

/**
 * Gives each page to the key with the fewest pages under way. A key that was answered with 429 gets no page until its
 * wait is over. A refused or used-up key gets no page at all.
 */
export function keyRing(sourceKeys: readonly SourceKey[]): KeyRing {
  const keys = sourceKeys.map((key): RingedKey => {
    return { ...key, inFlight: 0, lastTurn: 0, blockedUntilMs: 0, lost: null }
  })
  let turn = 0

  /** The key with the fewest pages. On a tie the key unused the longest, so that all keys are used even for few pages. */
  function pick(): RingedKey | null {
    const nowMs = Date.now()
    const free = keys.filter(({ lost, blockedUntilMs }) => lost === null && blockedUntilMs <= nowMs)
    free.sort((a, b) => a.inFlight - b.inFlight || a.lastTurn - b.lastTurn)
    return free[0] ?? null
  }

  function loseOrRethrow(key: RingedKey, error: unknown): void {
    const { code, reason, hint, exitCode, untilMs } = failureFactsOf(error)
    if (keys.length === 1 || !OF_ONE_KEY.has(code)) throw error
    key.lost ??= { code, reason, hint, exitCode, ...(untilMs === undefined ? {} : { untilMs }) }
  }

  return {
    async ask(use) {
      for (;;) {
        const key = pick()
        if (key === null) {
          const left = keys.filter(({ lost }) => lost === null)
          if (left.length === 0) throw allLost(keys)
          const throttledUntilMs = Math.min(...left.map(({ blockedUntilMs }) => blockedUntilMs))
          return { kind: 'throttled', throttledUntilMs }
        }
        key.inFlight++
        key.lastTurn = ++turn
        try {
          const result = await use(key.client)
          if (result.kind !== 'throttled') return result
          key.blockedUntilMs = Math.max(key.blockedUntilMs, result.throttledUntilMs)
          // Clocks differ, so a demanded time may seem past. Asking again at once would be a tight loop.
          if (key.blockedUntilMs <= Date.now()) return result
        } catch (error) {
          loseOrRethrow(key, error)
        } finally {
          key.inFlight--
        }
      }
    },
    lost: () => keys.flatMap(({ keyId, lost }) => (lost === null ? [] : [{ ...lost, keyId }])),
  }
}

/** The error tells of a used-up key rather than of a refused one, because next month the run can go on. */
function allLost(keys: readonly RingedKey[]): KeysLostError {
  const failures = keys.flatMap(({ lost }) => lost ?? [])
  const untilMs = Math.min(...failures.map((failure) => failure.untilMs ?? Infinity))
  const told = failures.find((failure) => failure.untilMs === untilMs) ?? failures[0]!
  const reasons = failures.map(({ reason }) => reason).join('; ')
  return new KeysLostError(`none of the ${keys.length} keys can be used: ${reasons}`, told)
}
