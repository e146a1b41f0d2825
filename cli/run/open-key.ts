import { createSourceClient, type SourceClient } from '../../api/client.ts'
import { gatedPacer } from '../../api/gated-pacer.ts'
import { createMonthGate, type MonthGate } from '../../api/month-gate.ts'
import { createPacer, type Pacer } from '../../api/pacer.ts'
import { apiRootUrl } from '../../config/base-url.ts'
import type { Config } from '../../config/config.ts'
import { coinlakeVersion } from '../version.ts'
import type { ConfigKey } from './config-keys.ts'
import type { ReserveOf } from './month-reserve.ts'

const NO_SHARE = { calls: 0, perMs: 1 }

/** An API key with its pacer, its month and its client in this process. */
export interface OpenKey extends ConfigKey {
  pacer: Pacer
  gate: MonthGate
  client: SourceClient
}

/** Opens a key for this process. No call leaves before its budget gives a share. */
export function openKey(
  key: ConfigKey,
  facts: {
    config: Config
    env: Record<string, string | undefined>
    reserveOf: ReserveOf
  },
): OpenKey {
  const { config, env, reserveOf } = facts
  const { source } = config
  const pacer = createPacer({ rate: source.rate })
  pacer.setLease(NO_SHARE)
  const gate = createMonthGate({
    ceiling: source.monthlyCalls,
    reserveOf: (ceiling) => reserveOf(ceiling, Date.now()),
    keyId: key.keyId,
  })
  const client = createSourceClient({
    rootUrl: apiRootUrl(source),
    auth: key.key === null ? null : { ...source.profile.auth, key: key.key },
    dateFormat: source.profile.dateFormat,
    pacer: gatedPacer(pacer, gate),
    timeoutMs: source.timeoutMs,
    maxBodyBytes: source.maxBodyBytes,
    caFile: source.caFile,
    concurrency: source.concurrency,
    version: coinlakeVersion,
    env,
  })
  return { ...key, pacer, gate, client }
}
