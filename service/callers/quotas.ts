import type { Clock } from '../../config/clock.ts'
import type { KeyIdentity } from './key-ring.ts'
import { createQuota } from './quota.ts'
import type { Quota, QuotaOptions, QuotaState } from './quota.ts'

/** The quota of a service, and those of keys with a quota of their own. */
export interface Quotas {
  take(caller: KeyIdentity): QuotaState
  /** The state of a caller's quota, for answers that count no call. */
  peek(caller: KeyIdentity): QuotaState
  /** Takes back a call that was refused after it was counted. */
  giveBack(caller: KeyIdentity): void
  /** Changes the limit of all keys without their own one, from the next call on, in a new window. */
  limitTo(limit: QuotaOptions): void
}

/** @param common the quota of callers without their own one */
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
