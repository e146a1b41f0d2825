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
  /** Asks with the key that has the fewest pages under way. */
  ask(use: (client: SourceClient) => Promise<FetchPageResult>): Promise<FetchPageResult>
  /** Keys that take no more calls of the run. */
  lost(): LostKeyFacts[]
  /** Ends all batches of the run in this process. */
  end(cause: FatalCause): void
  /** The fault that ended the run; null = none. */
  ended(): FatalCause | null
}

/** No key of several takes calls any more. */
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

/** Faults of one key, not of all: refused, or its month used up. */
const OF_ONE_KEY: ReadonlySet<string> = new Set(['SOURCE_AUTH', 'MONTH_SPENT'])
/** Concurrent runs of one process: a backfill and a few schedules. */
const MOST_RUNS = 16

/** Each run has its own ring: the next run tries a refused key again. */
export function keyRings(keys: readonly SourceKey[]): (runId: string) => KeyRing {
  const rings = new Map<string, KeyRing>()
  return (runId) => {
    const ring = rings.get(runId) ?? keyRing(keys)
    rings.delete(runId)
    rings.set(runId, ring)
    const [oldest] = rings.keys()
    if (rings.size > MOST_RUNS && oldest !== undefined) rings.delete(oldest)
    return ring
  }
}

/**
 * Gives each page to the key with the fewest pages under way. A key with a 429 gets no page until its time, a refused
 * or used-up key none at all; the remaining keys take over.
 */
export function keyRing(sourceKeys: readonly SourceKey[]): KeyRing {
  const keys = sourceKeys.map((key): RingedKey => {
    return { ...key, inFlight: 0, lastTurn: 0, blockedUntilMs: 0, lost: null }
  })
  let turn = 0
  let fatal: FatalCause | null = null

  /** The key with the fewest pages, among equals the longest idle one: so few pages use all keys too. */
  function pick(): RingedKey | null {
    const nowMs = Date.now()
    const free = keys.filter(({ lost, blockedUntilMs }) => lost === null && blockedUntilMs <= nowMs)
    free.sort((a, b) => a.inFlight - b.inFlight || a.lastTurn - b.lastTurn)
    return free[0] ?? null
  }

  function lose(key: RingedKey, error: unknown): void {
    const { code, reason, hint, exitCode, untilMs } = failureFactsOf(error)
    if (keys.length === 1 || !OF_ONE_KEY.has(code)) throw error
    key.lost ??= { code, reason, hint, exitCode, ...(untilMs === undefined ? {} : { untilMs }) }
  }

  return {
    async ask(use) {
      let calls = 0
      for (;;) {
        const key = pick()
        if (key === null) {
          const left = keys.filter(({ lost }) => lost === null)
          if (left.length === 0) throw allLost(keys)
          const throttledUntilMs = Math.min(...left.map(({ blockedUntilMs }) => blockedUntilMs))
          return { kind: 'throttled', throttledUntilMs, calls }
        }
        key.inFlight++
        key.lastTurn = ++turn
        try {
          const result = await use(key.client)
          calls += result.calls
          if (result.kind !== 'throttled') return { ...result, calls }
          key.blockedUntilMs = Math.max(key.blockedUntilMs, result.throttledUntilMs)
          // Clocks differ: a time that seems past must not cause a tight loop.
          if (key.blockedUntilMs <= Date.now()) return { ...result, calls }
        } catch (error) {
          lose(key, error)
        } finally {
          key.inFlight--
        }
      }
    },
    end: (cause) => {
      fatal ??= cause
    },
    ended: () => fatal,
    lost: () => keys.flatMap(({ keyId, lost }) => (lost === null ? [] : [{ ...lost, keyId }])),
  }
}

/** A used-up key outranks a refused one: the run can go on next month. */
function allLost(keys: readonly RingedKey[]): KeysLostError {
  const failures = keys.flatMap(({ lost }) => lost ?? [])
  const untilMs = Math.min(...failures.map((failure) => failure.untilMs ?? Infinity))
  const told = failures.find((failure) => failure.untilMs === untilMs) ?? failures[0]!
  const reasons = failures.map(({ reason }) => reason).join('; ')
  return new KeysLostError(`none of the ${keys.length} keys can be used: ${reasons}`, told)
}
