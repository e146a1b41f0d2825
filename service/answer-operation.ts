import type { Operation } from '../api/operations.ts'
import type { ParamValues } from '../api/operations/describe-operation.ts'
import type { Profile } from '../config/profiles.ts'
import { createAnswerCache } from './answer-cache.ts'
import type { Answered, AnswerSource } from './answer-source.ts'
import { bodyText } from './body-text.ts'
import { checkParams, type GivenParams, type ParamRules } from './check-params.ts'
import { createCurrencyCheck } from './currency-check.ts'
import { planRefusal } from './plan-limits.ts'
import type { Refusal } from './refusal.ts'
import { CHART_CACHE_AGE_S, CHART_INTERVALS } from '../api/granularity.ts'
import { chartGranularity, DAYS_CHART_STEPS, daysOf, stepOf } from '../api/step-rules.ts'

type Found = Exclude<Answered, { kind: 'not_found' | 'no_data' }>

/** An answer with its checked parameters, its time as in `Answered` and its max-age, or a refusal. */
export type OperationAnswer =
  | { kind: 'answered'; params: ParamValues; bytes: Uint8Array; atMs?: number; maxAgeS: number }
  | { kind: 'refused'; refusal: Refusal }

/** Answers operations: checks parameters, plan and currency, then asks cache or source. */
export function createAnswers(
  source: AnswerSource,
  profile: Profile,
): (operation: Operation, given: GivenParams) => Promise<OperationAnswer> {
  const rules = paramRules(profile)
  const checkCurrency = createCurrencyCheck(source)
  const cache = createAnswerCache()
  return async (operation, given) => {
    const checked = checkParams(operation, given, rules)
    if (!checked.ok) return refused({ kind: 'params', ...checked })
    const { params } = checked
    const nowMs = source.clock.nowMs()
    const outside = planRefusal(profile, operation.id, params, nowMs)
    if (outside !== null) return refused(outside)
    const wrong = await checkCurrency(operation, params)
    if (wrong !== null) return refused({ kind: 'params', status: 400, message: wrong })
    const good = { kind: 'answered', params, maxAgeS: cacheAgeS(operation, params, nowMs) } as const
    const kept = cache.get(operation.id, params, nowMs)
    if (kept !== undefined) return { ...good, bytes: kept }
    const answered = await source.answer(operation.id, params)
    if (answered.kind === 'not_found' || answered.kind === 'no_data') {
      const { id, subject } = operation
      const isUnknown = answered.kind === 'not_found' && subject !== undefined
      return refused(
        isUnknown ? { kind: 'not_found', subject } : { kind: 'no_data', operation: id },
      )
    }
    const shaped = inProfileForm(operation, answered, profile)
    if (shaped.kind === 'bytes') return { ...shaped, ...good }
    // Not a Buffer: a small one keeps a slab of 64 KiB in memory as long as the cache has it.
    const bytes = new TextEncoder().encode(bodyText(shaped.body))
    cache.set(operation.id, params, nowMs, bytes)
    return { ...good, bytes }
  }
}

function paramRules({ served, dateFormats, auth }: Profile): ParamRules {
  return {
    isLenient: served.params === 'lenient',
    dateFormats,
    rangeTakesDates: served.rangeTakesDates,
    missingStatus: served.missingParamStatus,
    ignored: auth.queryParam === null ? [] : [auth.queryParam],
  }
}

function refused(refusal: Refusal): OperationAnswer {
  return { kind: 'refused', refusal }
}

/** Changes the bodies in which a profile differs from the interface. */
function inProfileForm(operation: Operation, answered: Found, { ping, served }: Profile): Found {
  if (answered.kind !== 'json') return answered
  if (operation.id === 'ping') return { kind: 'json', body: { [ping.field]: served.pingText } }
  if (operation.id !== 'search/trending' || served.trendingCoins === null) return answered
  const trending = answered.body as { coins: readonly unknown[] }
  return {
    kind: 'json',
    body: { ...trending, coins: trending.coins.slice(0, served.trendingCoins) },
  }
}

/** How long caches may keep an answer, in seconds (max-age). A chart's time follows from its granularity. */
export function cacheAgeS(operation: Operation, params: ParamValues, nowMs: number): number {
  if (!operation.id.includes('market_chart')) return operation.cacheAgeS
  const { days, from, to, interval = '' } = params
  const withoutInterval =
    days === undefined
      ? chartGranularity(Number(from) * 1_000, Number(to) * 1_000, nowMs)
      : stepOf(DAYS_CHART_STEPS, daysOf(days))
  return CHART_CACHE_AGE_S[CHART_INTERVALS[interval] ?? withoutInterval]
}
