import { createSourceClient, type SourceClient } from '../../api/client.ts'
import { gatedPacer } from '../../api/gated-pacer.ts'
import { createMonthGate, type MonthGate } from '../../api/month-gate.ts'
import { createPacer, type Pacer } from '../../api/pacer.ts'
import { apiRootUrl } from '../../config/base-url.ts'
import type { Config } from '../../config/config.ts'
import type { Effects } from '../effects.ts'
import { coinlakeVersion } from '../version.ts'
import type { SourceKey } from './source-keys.ts'
import type { ReserveOf } from './month-reserve.ts'

const NO_SHARE = { calls: 0, perMs: 1 }

/** An API key with its pacer, its month and its client in this process. */
export interface OpenKey extends SourceKey {
  pacer: Pacer
  gate: MonthGate
  client: SourceClient
}

/** Opens a key for this process. No call leaves before its budget gives a share. */
export function openKey(
  source: Config['source'],
  key: SourceKey,
  env: Effects['env'],
  reserveOf: ReserveOf,
): OpenKey {
  const pacer = createPacer({ rate: source.rate })
  pacer.setLease(NO_SHARE)
  const gate = createMonthGate({
    ceiling: source.monthlyCalls,
    reserveOf: (ceiling) => reserveOf(ceiling, Date.now()),
    keyId: key.keyId,
  })
  return { ...key, pacer, gate, client: keyClient(source, key, gatedPacer(pacer, gate), env) }
}

export function keyClient(
  source: Config['source'],
  { key }: SourceKey,
  pacer: Pacer,
  env: Effects['env'],
): SourceClient {
  const { profile, timeoutMs, maxBodyBytes, caFile, concurrency } = source
  return createSourceClient({
    rootUrl: apiRootUrl(source),
    auth: key === null ? null : { ...profile.auth, key },
    dateFormat: profile.dateFormats[0],
    pacer,
    timeoutMs,
    maxBodyBytes,
    caFile,
    concurrency,
    version: coinlakeVersion,
    env,
  })
}
