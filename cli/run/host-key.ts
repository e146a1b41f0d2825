import { createSourceClient } from '../../api/client.ts'
import type { SourceClient } from '../../api/client.ts'
import { gatedPacer } from '../../api/gated-pacer.ts'
import { createMonthGate } from '../../api/month-gate.ts'
import type { MonthGate } from '../../api/month-gate.ts'
import { createPacer } from '../../api/pacer.ts'
import type { Pacer } from '../../api/pacer.ts'
import { apiRootUrl } from '../../config/base-url.ts'
import type { Config } from '../../config/config.ts'
import { coinlakeVersion } from '../version.ts'
import type { ConfigKey } from './config-keys.ts'
import type { ReserveOf } from './month-reserve.ts'

const NO_SHARE = { calls: 0, perMs: 1 }

/** The client of one key in this process, with its parts. */
export interface HostedKey extends ConfigKey {
  pacer: Pacer
  gate: MonthGate
  client: SourceClient
}

/** Puts together what fetches with a key: its pacer, its month, a client. */
export function hostKey(
  key: ConfigKey,
  facts: {
    config: Config
    env: Record<string, string | undefined>
    reserveOf: ReserveOf
  },
): HostedKey {
  const { config, env, reserveOf } = facts
  const { source } = config
  const pacer = createPacer({ rate: source.rate })
  // Batches may come before the budget has given us a share.
  pacer.lease(NO_SHARE)
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
