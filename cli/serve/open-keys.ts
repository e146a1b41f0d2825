import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { systemClock } from '../../config/clock.ts'
import { ConfigError } from '../../config/config-error.ts'
import { fileKeyRing } from '../../service/callers/file-key-ring.ts'
import { createKeyRing, joinKeyRings, type KeyRing } from '../../service/callers/key-ring.ts'
import { DEFAULT_KEY_FILE } from '../commands/keys.ts'
import type { Effects } from '../effects.ts'
import { readServeKeys, SERVE_KEY_ENV } from './serve-options.ts'

export interface OpenKeys {
  /** null = no key is needed. */
  keys: KeyRing | null
  about: string
}

/**
 * The keys from the file of `coinlake keys` (named or default), a plain file, and the environment.
 *
 * @throws ConfigError KEYS_FILE or SERVE_KEY_FILE
 */
export function openKeys(effects: Effects, options: Record<string, unknown>): OpenKeys {
  const named = typeof options['keys'] === 'string' ? options['keys'] : null
  const file = resolve(effects.cwd, named ?? DEFAULT_KEY_FILE)
  const isThere = existsSync(file)
  if (named !== null && !isThere) {
    throw new ConfigError(`there is no key file ${named}`, {
      code: 'KEYS_FILE',
      hint: `Make the first key: coinlake keys create <name> --keys ${named}`,
    })
  }
  const { keyFile } = options
  const plain = readServeKeys(effects, typeof keyFile === 'string' ? keyFile : undefined)
  const rings = [
    ...(isThere ? [fileKeyRing(file, systemClock)] : []),
    ...(plain.length === 0 ? [] : [createKeyRing(plain)]),
  ]
  if (rings.length === 0) return { keys: null, about: 'open to this machine: no key is needed' }
  const places = [
    ...(isThere ? [file] : []),
    ...(plain.length === 0 ? [] : [typeof keyFile === 'string' ? keyFile : SERVE_KEY_ENV]),
  ]
  return { keys: joinKeyRings(rings), about: `keys: ${places.join(', ')}` }
}
