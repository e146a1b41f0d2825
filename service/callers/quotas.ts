import type { Clock } from '../../config/clock.ts'
import type { KeyIdentity } from './key-ring.ts'
import { createQuota } from './quota.ts'
import type { Quota, QuotaOptions, QuotaState } from './quota.ts'

/** The quotas of all callers of a service. */
export interface Quotas {
  take(caller: KeyIdentity): QuotaState
  /** The state of a caller's quota. Counts no call. */
  peek(caller: KeyIdentity): QuotaState
  /** Takes back the last call of a caller. */
  giveBack(caller: KeyIdentity): void
  /** Changes the common quota from the next call on, in a new window. */
  limitTo(limit: QuotaOptions): void
}

/** @param common the quota of callers without one of their own */
export function createQuotas(common: QuotaOptions, clock: Clock): Quotas {
  const quotas = new Map<string, Quota>()
  let limit = common
  const quotaOf = (caller: KeyIdentity): Quota => {
    const options = caller.quota ?? limit
    const name = `${options.calls}/${options.perMs}/${options.kind}`
    const known = quotas.get(name) ?? createQuota(options, clock)
    quotas.set(name, known)
    return known
  }
  return {
    take: (caller) => quotaOf(caller).take(caller.id),
    peek: (caller) => quotaOf(caller).peek(caller.id),
    giveBack: (caller) => quotaOf(caller).giveBack(caller.id),
    limitTo: (changed) => {
      limit = changed
    },
  }
}
