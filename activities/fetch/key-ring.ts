import { LRUCache } from 'lru-cache'
import type { SourceClient } from '../../api/client.ts'
import { CoinlakeError, type ExitCode } from '../../config/coinlake-error.ts'
import { failureFactsOf } from '../activity-failure.ts'
import type { FatalCause, LostKeyFacts } from '../run-report.ts'
import { type RefusedCurrencies, refusedCurrencies } from './refused-currencies.ts'
import { isThrottled, type ThrottledAnswer } from './throttled-answer.ts'

/** A key of this process's configuration, and its client. */
export interface SourceKey {
  keyId: string
  client: SourceClient
}

/** The keys of this process in one run. */
export interface KeyRing {
  ask<T>(use: (client: SourceClient) => Promise<T | ThrottledAnswer>): Promise<T | ThrottledAnswer>
  lost(): LostKeyFacts[]
}

export interface LocalRun {
  keys: KeyRing
  /** The fault that ends all batches of the run; null = none. */
  fatal: FatalCause | null
  currencies: RefusedCurrencies
}

/** All keys are refused or used up. Only thrown with two or more keys. */
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
  /** Turn of the ring in which the key got its last page. */
  lastTurn: number
  /** The key gets no page before this time, epoch ms; 0 = not blocked. */
  blockedUntilMs: number
  lost: FatalCause | null
}

/** Faults of a single key: the source refuses it, or its month is used up. */
const ONE_KEY_CODES: ReadonlySet<string> = new Set(['SOURCE_AUTH', 'MONTH_SPENT'])
/** Concurrent runs of one process: a backfill and a few schedules. */
const MOST_RUNS = 16

/** Makes a function that finds or begins a run by its id. Each run has its own ring, so the next run tries a refused key again. */
export function runsOfProcess(keys: readonly SourceKey[]): (runId: string) => LocalRun {
  const runs = new LRUCache<string, LocalRun>({ max: MOST_RUNS })
  return (runId) => {
    const run = runs.get(runId) ?? {
      keys: keyRing(keys),
      fatal: null,
      currencies: refusedCurrencies(),
    }
    runs.set(runId, run)
    return run
  }
}

/**
 * Gives each page to the key with the fewest pages under way. A key with a 429 waits. A refused or used-up key gets no
 * page.
 */
export function keyRing(sourceKeys: readonly SourceKey[]): KeyRing {
  const keys = sourceKeys.map((key): RingedKey => {
    return { ...key, inFlight: 0, lastTurn: 0, blockedUntilMs: 0, lost: null }
  })
  let turn = 0

  /** The key with the fewest pages; on a tie the one unused the longest, so that few pages use all keys. */
  function pick(): RingedKey | null {
    const nowMs = Date.now()
    const free = keys.filter(({ lost, blockedUntilMs }) => lost === null && blockedUntilMs <= nowMs)
    free.sort((a, b) => a.inFlight - b.inFlight || a.lastTurn - b.lastTurn)
    return free[0] ?? null
  }

  return {
    async ask<T>(use: (client: SourceClient) => Promise<T | ThrottledAnswer>) {
      for (;;) {
        const key = pick()
        if (key === null) {
          const left = keys.filter(({ lost }) => lost === null)
          if (left.length === 0) throw allLostError(keys)
          const throttledUntilMs = Math.min(...left.map(({ blockedUntilMs }) => blockedUntilMs))
          return { kind: 'throttled', throttledUntilMs }
        }
        key.inFlight++
        key.lastTurn = ++turn
        try {
          const result = await use(key.client)
          if (!isThrottled(result)) return result
          key.blockedUntilMs = Math.max(key.blockedUntilMs, result.throttledUntilMs)
          // Clocks differ, so the wait may seem over already. Asking at once would be a tight loop.
          if (key.blockedUntilMs <= Date.now()) return result
        } catch (error) {
          const { isRetryable: _, ...cause } = failureFactsOf(error)
          if (keys.length === 1 || !ONE_KEY_CODES.has(cause.code)) throw error
          key.lost ??= cause
        } finally {
          key.inFlight--
        }
      }
    },
    lost: () => keys.flatMap(({ keyId, lost }) => (lost === null ? [] : [{ ...lost, keyId }])),
  }
}

/** The error when all keys are lost. Names a used-up key first, because its run can go on next month. */
function allLostError(keys: readonly RingedKey[]): KeysLostError {
  const failures = keys.flatMap(({ lost }) => lost ?? [])
  const untilMs = Math.min(...failures.map((failure) => failure.untilMs ?? Infinity))
  const named = failures.find((failure) => failure.untilMs === untilMs) ?? failures[0]!
  const reasons = failures.map(({ reason }) => reason).join('; ')
  return new KeysLostError(`none of the ${keys.length} keys can be used: ${reasons}`, named)
}
