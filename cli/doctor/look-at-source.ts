import { systemClock } from '../../config/clock.ts'
import { apiRootUrl } from '../../config/base-url.ts'
import type { Config } from '../../config/config.ts'
import { EXIT } from '../../config/coinlake-error.ts'
import { KNOWN_PINGS } from '../../config/profiles.ts'
import { SourceAuthError } from '../../api/errors.ts'
import { checkService } from '../../api/check-service.ts'
import { createSourceClient, type SourceAnswer } from '../../api/client.ts'
import { operations } from '../../api/operations.ts'
import { createPacer } from '../../api/pacer.ts'
import type { CallRate } from '../../api/rate-headers.ts'
import type { Effects } from '../effects.ts'
import { approximateDuration, callRateText } from '../render/quantities.ts'
import { configKeys, type ConfigKey } from '../run/config-keys.ts'
import { isMonthSpent, type KeyMonth } from '../run/key-months.ts'
import { coinlakeVersion } from '../version.ts'
import { doubt, faultOf, fine, skipped, type Finding } from './finding.ts'

const ABOUT = 'source'
const CLOCK = 'clock'
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
 * @param inUse ids of keys that a process uses, which get no call
 */
export async function lookAtSource(
  effects: Effects,
  config: Config,
  months: readonly KeyMonth[],
  inUse: readonly string[],
): Promise<SourceLook> {
  const keys = configKeys(config)
  const found: SourceLook = { findings: [], calls: [] }
  let clock = skipped(CLOCK, 'no answer to read it from')
  for (const [place, key] of keys.entries()) {
    const about = keys.length === 1 ? ABOUT : `${ABOUT} ${place + 1}/${keys.length}`
    const month = months.find(({ keyId }) => keyId === key.keyId)
    if (inUse.includes(key.keyId)) {
      found.findings.push(skipped(about, 'a process uses this key just now'))
      continue
    }
    if (month !== undefined && isMonthSpent(month)) {
      found.findings.push(skipped(about, 'the month of this key has no call left'))
      continue
    }
    const asked = await ask(effects, config, key)
    found.calls.push({ keyId: key.keyId, calls: asked.calls, rate: asked.rate })
    if ('error' in asked) {
      found.findings.push(faultOf(about, asked.error))
      // Other keys would meet the same failed connection.
      if (!(asked.error instanceof SourceAuthError)) break
    } else {
      const learned = month?.rate ?? null
      found.findings.push(answerFinding(about, asked.answer, apiRootUrl(config.source), learned))
      if (asked.answer.kind === 'ok') {
        clock = lookAtClock(asked.answer.dateMs, effects.clock.nowMs())
      }
    }
  }
  found.findings.push(clock)
  return found
}

type Asked = Pick<KeyCalls, 'calls' | 'rate'> & ({ answer: SourceAnswer } | { error: unknown })

async function ask(effects: Effects, config: Config, { key }: ConfigKey): Promise<Asked> {
  const { profile, caFile, timeoutMs, maxBodyBytes, rate } = config.source
  const pacer = createPacer({ rate })
  const client = createSourceClient({
    rootUrl: apiRootUrl(config.source),
    auth: key === null ? null : { ...profile.auth, key },
    dateFormat: profile.dateFormat,
    pacer,
    timeoutMs: Math.min(timeoutMs, MAX_TIMEOUT_MS),
    caFile,
    maxBodyBytes,
    version: coinlakeVersion,
    env: effects.env,
  })
  let calls = 0
  const onSent = (): void => {
    calls += 1
  }
  try {
    let answer = await checkService(client, { pings: KNOWN_PINGS, onSent })
    if (answer.kind === 'ok') answer = await client.get(ASKED_WITH_KEY, {}, { onSent })
    return { answer, calls, rate: pacer.usage().rate }
  } catch (error) {
    return { error, calls, rate: null }
  } finally {
    await client.close()
  }
}

function answerFinding(
  about: string,
  answer: SourceAnswer,
  rootUrl: string,
  learned: CallRate | null,
): Finding {
  if (answer.kind === 'throttled') {
    // Waits are of real time, whatever the market's clock says.
    const waitMs = answer.untilMs - systemClock.nowMs()
    return doubt(about, {
      what: `${rootUrl} answers, and tells this key to wait (${answer.reason})`,
      code: 'SOURCE_THROTTLED',
      hint: `Another program uses the key now, or its calls are used up: a run would wait ${approximateDuration(waitMs)} first.`,
    })
  }
  const { rate } = answer
  const before = learned === null ? '' : `; ${callRateText(learned)} were learned before`
  const limit = rate?.limit == null ? `tells no rate limit${before}` : `allows ${rateText(rate)}`
  return fine(about, `${rootUrl} answers, takes the key, ${limit}`)
}

function rateText(rate: { limit: number | null; windowMs: number | null }): string {
  // A source reports the time left of its window, so the window may be longer.
  const least = rate.windowMs === null ? '' : ` of ${rate.windowMs / 1000} s or more`
  return `${rate.limit} calls a window${least}`
}

function lookAtClock(dateMs: number | null, nowMs: number): Finding {
  if (dateMs === null) return skipped(CLOCK, 'the source tells no time')
  const skewMs = Math.abs(nowMs - dateMs)
  if (skewMs <= USUAL_SKEW_MS) return fine(CLOCK, 'as the source has it')
  const direction = nowMs > dateMs ? 'ahead of' : 'behind'
  const trouble = {
    what: `this machine's clock is ${approximateDuration(skewMs)} ${direction} the source's`,
    code: 'CLOCK_SKEW',
    hint: 'Set the clock by NTP (timedatectl set-ntp true); unset COINLAKE_NOW if it is set.',
  }
  if (skewMs < FAULTY_SKEW_MS) return doubt(CLOCK, trouble)
  return { ...doubt(CLOCK, trouble), verdict: 'fault', exitCode: EXIT.unexpected }
}
