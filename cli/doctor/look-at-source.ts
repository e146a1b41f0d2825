import { systemClock } from '../../config/clock.ts'
import { apiRootUrl } from '../../config/base-url.ts'
import type { Config } from '../../config/config.ts'
import { EXIT } from '../../config/coinlake-error.ts'
import { KNOWN_PINGS } from '../../config/profiles.ts'
import { SourceAuthError, SourceRequestError } from '../../api/errors.ts'
import { checkService } from '../../api/check-service.ts'
import type { SourceAnswer } from '../../api/client.ts'
import { operations } from '../../api/operations.ts'
import { createPacer } from '../../api/pacer.ts'
import type { CallRate } from '../../api/rate-headers.ts'
import type { Effects } from '../effects.ts'
import { approximateDuration, callRateText } from '../render/quantities.ts'
import { sourceKeys, type SourceKey } from '../run/source-keys.ts'
import { isMonthSpent, keyMonths, type KeyMonth } from '../run/key-months.ts'
import { keyClient } from '../run/open-key.ts'
import type { LivingWorker } from '../run/worker-claim.ts'
import { doubt, fault, faultOf, fine, skipped, type Finding, type CheckResult } from './finding.ts'

/** A service may answer `ping` without a key, but not this operation. */
const ASKED_WITH_KEY = operations['simple/supported_vs_currencies']
/** Longest wait for an answer, as a person waits. */
const MAX_TIMEOUT_MS = 10_000
/** The Date header has whole seconds, and an answer takes its time. */
const USUAL_SKEW_MS = 5_000
/** From this skew on, newest points and snapshots would fall into other hours. */
const FAULTY_SKEW_MS = 5 * 60_000

/** The findings, and the calls of each key that they took. */
export interface SourceLook {
  findings: Finding[]
  calls: KeyCalls[]
}

export interface KeyCalls {
  keyId: string
  calls: number
  /** The key's rate as the answers reported it; null = not reported. */
  rate: CallRate | null
}

/**
 * Checks that the service answers, accepts each key and has the same time. Makes at most two calls a key.
 *
 * @param worker a process that works on the warehouse, whose keys get no call
 */
export async function lookAtSource(
  effects: Effects,
  config: Config,
  worker: LivingWorker | null,
): Promise<SourceLook> {
  const keys = sourceKeys(config)
  const months = await keyMonths(config)
  const found: SourceLook = { findings: [], calls: [] }
  let clock = skipped('no answer to read it from')
  for (const [place, key] of keys.entries()) {
    const about = keys.length === 1 ? 'source' : `source ${place + 1}/${keys.length}`
    const add = (look: CheckResult): void => void found.findings.push({ about, ...look })
    const month = months[place]!
    const reason = whyNotAsked(month, worker)
    if (reason !== null) {
      add(skipped(reason))
      continue
    }
    const asked = await ask(effects, config, key)
    found.calls.push({ keyId: key.keyId, calls: asked.calls, rate: asked.rate })
    if ('error' in asked) {
      add(faultOf(asked.error))
      // Other keys would meet the same failed connection.
      if (!(asked.error instanceof SourceAuthError)) break
    } else {
      add(lookAtAnswer(asked.answer, apiRootUrl(config.source), month.rate))
      if (asked.answer.kind === 'ok') {
        clock = lookAtClock(asked.answer.dateMs, effects.clock.nowMs())
      }
    }
  }
  found.findings.push({ about: 'clock', ...clock })
  return found
}

function whyNotAsked(month: KeyMonth, worker: LivingWorker | null): string | null {
  if (worker !== null && (worker.keyIds?.includes(month.keyId) ?? true)) {
    const learned = month.rate === null ? '' : ` (${callRateText(month.rate)}, as learned before)`
    return `process ${worker.pid} uses the key just now${learned}, so no call is made: \`coinlake runs\` says how its runs ended`
  }
  return isMonthSpent(month) ? 'the month of this key has no call left' : null
}

type Asked = Pick<KeyCalls, 'calls' | 'rate'> & ({ answer: SourceAnswer } | { error: unknown })

async function ask({ env }: Effects, { source }: Config, key: SourceKey): Promise<Asked> {
  const pacer = createPacer({ rate: source.rate })
  const timeoutMs = Math.min(source.timeoutMs, MAX_TIMEOUT_MS)
  const client = keyClient({ ...source, timeoutMs }, key, pacer, env)
  let calls = 0
  const onSent = (): void => {
    calls += 1
  }
  try {
    let answer = await checkService(client, { pings: KNOWN_PINGS, onSent })
    if (answer.kind === 'ok') {
      const pinged = answer
      answer = await client.get(ASKED_WITH_KEY, {}, { onSent }).catch((error: unknown) => {
        // A served warehouse may lack the operation. Its 404 still shows that the key was accepted.
        if (error instanceof SourceRequestError && error.code === 'SOURCE_NOT_FOUND') return pinged
        throw error
      })
    }
    return { answer, calls, rate: pacer.usage().rate }
  } catch (error) {
    return { error, calls, rate: null }
  } finally {
    await client.close()
  }
}

function lookAtAnswer(
  answer: SourceAnswer,
  rootUrl: string,
  learned: CallRate | null,
): CheckResult {
  if (answer.kind === 'throttled') {
    // Waits are of real time, whatever the market's clock says.
    const waitMs = answer.untilMs - systemClock.nowMs()
    return doubt({
      what: `${rootUrl} answers, and tells this key to wait (${answer.reason})`,
      code: 'SOURCE_THROTTLED',
      hint: `Another program uses the key now, or its calls are used up: a run would wait ${approximateDuration(waitMs)} first.`,
    })
  }
  const { rate } = answer
  const before = learned === null ? '' : `; ${callRateText(learned)} were learned before`
  const limit = rate?.limit == null ? `tells no rate limit${before}` : `allows ${rateText(rate)}`
  return fine(`${rootUrl} answers, takes the key, ${limit}`)
}

function rateText(rate: { limit: number | null; windowMs: number | null }): string {
  // A source reports the time left of its window, so the window may be longer.
  const least = rate.windowMs === null ? '' : ` of ${rate.windowMs / 1000} s or more`
  return `${rate.limit} calls a window${least}`
}

function lookAtClock(dateMs: number | null, nowMs: number): CheckResult {
  if (dateMs === null) return skipped('the source tells no time')
  const skewMs = Math.abs(nowMs - dateMs)
  if (skewMs <= USUAL_SKEW_MS) return fine('as the source has it')
  const direction = nowMs > dateMs ? 'ahead of' : 'behind'
  const trouble = {
    what: `this machine's clock is ${approximateDuration(skewMs)} ${direction} the source's`,
    code: 'CLOCK_SKEW',
    hint: 'Set the clock by NTP (timedatectl set-ntp true); unset COINLAKE_NOW if it is set.',
  }
  return skewMs < FAULTY_SKEW_MS ? doubt(trouble) : fault(trouble, EXIT.unexpected)
}
