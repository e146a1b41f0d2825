import type { Clock } from '../config/clock.ts'
import type { KeyIdentity } from './key-ring.ts'
import { createQuota } from './quota.ts'
import type { Quota, QuotaOptions, QuotaState } from './quota.ts'

/** The quotas of a service: its own, and those of keys that have another. */
export interface Quotas {
  take(caller: KeyIdentity): QuotaState
  /** What a caller has left, for answers that no call has led to. */
  peek(caller: KeyIdentity): QuotaState
}

/** Callers with equal quotas are counted side by side, each for himself. */
export function createQuotas(common: QuotaOptions, clock: Clock): Quotas {
  const quotas = new Map<string, Quota>()
  const quotaOf = (caller: KeyIdentity): Quota => {
    const options = caller.quota ?? common
    const name = `${options.calls}/${options.perMs}/${options.kind}`
    const known = quotas.get(name) ?? createQuota(options, clock)
    quotas.set(name, known)
    return known
  }
  return {
    take: (caller) => quotaOf(caller).take(caller.id),
    peek: (caller) => quotaOf(caller).peek(caller.id),
  }
}
