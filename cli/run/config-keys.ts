import type { Config } from '../../config/config.ts'
import { requireKeys } from '../../config/require-key.ts'
import type { Secret } from '../../config/secret.ts'
import { warehouseIdOf } from '../../config/warehouse-paths.ts'
import { keyId, queueNames } from '../../engine/queues.ts'
import type { QueueNames } from '../../engine/queues.ts'
import type { RunQueues } from '../../workflows/messages.ts'

/** A key of a configuration, with the name under which budgets and queues know it. */
export interface ConfigKey {
  /** null = the service is asked without one. */
  key: Secret | null
  keyId: string
  queues: QueueNames
}

/**
 * The keys that a configuration fetches with.
 *
 * @throws ConfigError CONFIG_NO_KEY
 */
export function configKeys(config: Config): ConfigKey[] {
  return requireKeys(config).map((key) => {
    const id = keyIdOf(config, key)
    const ids = { keyId: id, warehouseId: warehouseIdOf(config) }
    return { key, keyId: id, queues: queueNames(ids) }
  })
}

/** The names of the keys for who only looks: also where a key that is named is missing. */
export function configKeyIds(config: Config): string[] {
  const { apiKeys } = config.source
  return apiKeys.length === 0 ? [keyIdOf(config, null)] : apiKeys.map((key) => keyIdOf(config, key))
}

/** The queues of a run: a fetch queue for each key. */
export function runQueuesOf(keys: readonly ConfigKey[]): RunQueues & { workflows: string } {
  const { workflows, control, load } = keys[0]!.queues
  return {
    workflows,
    control,
    load,
    fetch: keys.map(({ keyId: id, queues }) => ({ keyId: id, queue: queues.fetch })),
  }
}

function keyIdOf({ source }: Config, key: Secret | null): string {
  return keyId(key === null ? null : key.reveal(), source.baseUrl)
}
