import type { SourceClient } from '../../api/client.ts'
import { CoinlakeError } from '../../config/coinlake-error.ts'
import type { ExitCode } from '../../config/coinlake-error.ts'
import { failureFactsOf } from '../activity-failure.ts'
import type { FetchPageResult } from '../activity-types.ts'
import type { FatalCause, LostKeyFacts } from '../run-report.ts'

/** A key of this process's configuration, and what asks with it. */
export interface SourceKey {
  keyId: string
  client: SourceClient
}

/** The keys of this process, as one run finds them. */
export interface KeyRing {
  /** Asks with the key that has the fewest pages under way. */
  ask(use: (client: SourceClient) => Promise<FetchPageResult>): Promise<FetchPageResult>
  /** Keys that take no more calls of the run. */
  lost(): LostKeyFacts[]
  /** Nothing more is to be asked for the run: of its other batches here, too. */
  end(cause: FatalCause): void
  /** The fault that ended the run; null = none. */
  ended(): FatalCause | null
}

/** None of several keys takes calls any more. */
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
  /** When it was given a page last, counted in pages. */
  lastTurn: number
  /** Left out until then; 0 = it is not. */
  blockedUntilMs: number
  lost: FatalCause | null
}

/** Faults of one key that another may not have: refused, or its month used up. */
const OF_ONE_KEY: ReadonlySet<string> = new Set(['SOURCE_AUTH', 'MONTH_SPENT'])
/** Runs beside each other in one process: a backfill and the windows of a few schedules. */
const MOST_RUNS = 16

/** A ring for each run: a key that was refused is tried again by the next one. */
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
 * Gives each page to the key with the fewest pages under way. A key that was told to wait is left out
 * until then, one that is refused or used up for good; the others do its pages.
 */
export function keyRing(sourceKeys: readonly SourceKey[]): KeyRing {
  const keys = sourceKeys.map((key): RingedKey => {
    return { ...key, inFlight: 0, lastTurn: 0, blockedUntilMs: 0, lost: null }
  })
  let turn = 0
  let fatal: FatalCause | null = null

  /** Of those with the fewest pages the one that waits longest, so that few pages use all keys as well. */
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
          // Clocks differ: a time that seems past already must not make us ask in a tight loop.
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

/** A month that begins anew is the better news: the run goes on then. */
function allLost(keys: readonly RingedKey[]): KeysLostError {
  const failures = keys.flatMap(({ lost }) => lost ?? [])
  const untilMs = Math.min(...failures.map((failure) => failure.untilMs ?? Infinity))
  const told = failures.find((failure) => failure.untilMs === untilMs) ?? failures[0]!
  const reasons = failures.map(({ reason }) => reason).join('; ')
  return new KeysLostError(`none of the ${keys.length} keys can be used: ${reasons}`, told)
}
