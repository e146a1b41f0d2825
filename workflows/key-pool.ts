import { ActivityFailure, ApplicationFailure, TimeoutFailure } from '@temporalio/workflow'
import type { FetchActivities, FetchPageResult } from '../activities/activity-types.ts'
import { failureOf, fetchActivities } from './activity-proxies.ts'
import type { Fatal, LostKey, RunQueues } from './messages.ts'
import type { RunKind } from './run-kind.ts'

/** The fetches of a run, spread over its keys. */
export interface KeyPool extends FetchActivities {
  /** Keys that take no more calls of this run. */
  lost(): LostKey[]
}

/** One key as a pool sees it. */
interface PooledKey {
  keyId: string
  fetching: FetchActivities
  inFlight: number
  /** When it was given a page last, counted in pages. */
  lastTurn: number
  /** Left out until then; 0 = it is not. */
  blockedUntilMs: number
  lost: Fatal | null
}

/** What one key cannot do and another may: it is refused, or its month is used up. */
const OF_ONE_KEY: ReadonlySet<string> = new Set(['SOURCE_AUTH', 'MONTH_SPENT'])
/** A page that found nobody to fetch it is given to another key; this one is left out for so long. */
const UNSTARTED_BLOCK_MS = 30_000

/**
 * Gives each page to the key with the fewest pages under way. A key that was told to wait is left out
 * until then, one that is refused or used up for good; the others do its pages. With one key its
 * answers and failures are passed on as they are.
 *
 * @param lostBefore keys that an earlier part of this run has lost.
 */
export function keyPool(
  { fetch }: Pick<RunQueues, 'fetch'>,
  kind: RunKind,
  lostBefore: readonly LostKey[],
): KeyPool {
  const [only, ...others] = fetch
  if (only !== undefined && others.length === 0) {
    return { ...fetchActivities(only.queue, kind), lost: () => [...lostBefore] }
  }
  const keys = fetch.map(({ keyId, queue }): PooledKey => {
    const lost = lostBefore.find((one) => one.keyId === keyId) ?? null
    const fetching = fetchActivities(queue, kind, { movesOn: true })
    return { keyId, fetching, inFlight: 0, lastTurn: 0, blockedUntilMs: 0, lost }
  })
  let turn = 0

  /** Of those with the fewest pages the one that waits longest, so that few pages use all keys as well. */
  function pick(): PooledKey | null {
    const free = keys.filter(({ lost, blockedUntilMs }) => {
      return lost === null && blockedUntilMs <= Date.now()
    })
    free.sort((a, b) => a.inFlight - b.inFlight || a.lastTurn - b.lastTurn)
    return free[0] ?? null
  }

  function fault(key: PooledKey, error: unknown): void {
    if (isUnstarted(error)) {
      key.blockedUntilMs = Date.now() + UNSTARTED_BLOCK_MS
      return
    }
    const failure = failureOf(error)
    if (!OF_ONE_KEY.has(failure.code)) throw error
    key.lost ??= failure
  }

  async function ask(
    request: (fetching: FetchActivities) => Promise<FetchPageResult>,
  ): Promise<FetchPageResult> {
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
        const result = await request(key.fetching)
        calls += result.calls
        if (result.kind !== 'throttled') return { ...result, calls }
        key.blockedUntilMs = Math.max(key.blockedUntilMs, result.throttledUntilMs)
      } catch (error) {
        fault(key, error)
      } finally {
        key.inFlight--
      }
    }
  }

  return {
    fetchPage: (input) => ask((fetching) => fetching.fetchPage(input)),
    fetchUniverse: (input) => ask((fetching) => fetching.fetchUniverse(input)),
    lost: () => keys.flatMap(({ keyId, lost }) => (lost === null ? [] : [{ ...lost, keyId }])),
  }
}

/** Nobody took the page from its queue: the queue is stopped, or no process has this key. */
function isUnstarted(error: unknown): boolean {
  const cause = error instanceof ActivityFailure ? error.cause : null
  return cause instanceof TimeoutFailure && cause.timeoutType === 'SCHEDULE_TO_START'
}

/** A month that begins anew is the better news: the run goes on then. */
function allLost(keys: readonly PooledKey[]): ApplicationFailure {
  const failures = keys.flatMap(({ lost }) => lost ?? [])
  const untilMs = Math.min(...failures.map((failure) => failure.untilMs ?? Infinity))
  const told = failures.find((failure) => failure.untilMs === untilMs) ?? failures[0]!
  const { code, hint, exitCode } = told
  const reasons = failures.map(({ reason }) => reason).join('; ')
  return ApplicationFailure.create({
    type: code,
    message: `none of the ${keys.length} keys can be used: ${reasons}`,
    nonRetryable: true,
    details: [{ exitCode, hint, ...(untilMs === Infinity ? {} : { untilMs }) }],
  })
}
