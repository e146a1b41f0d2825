import { createHash, timingSafeEqual } from 'node:crypto'

/** The keys a service accepts. Only hashes are held, so that a dump of the process tells no key. */
export interface KeyRing {
  /** A short name of the key for quotas and logs, null when the key is not accepted. */
  identify(key: string): string | null
}

/** Hex digits of a hash that name a key: enough to tell keys apart, useless to guess them. */
const KEY_ID_LENGTH = 8

/** Puts keys on a ring. Every comparison looks at every key in full, so that its time tells nothing. */
export function createKeyRing(keys: readonly string[]): KeyRing {
  const hashes = keys.map(hashOf)
  return {
    identify: (key) => {
      const asked = hashOf(key)
      let found: Buffer | null = null
      for (const hash of hashes) if (timingSafeEqual(hash, asked)) found = hash
      return found === null ? null : found.toString('hex').slice(0, KEY_ID_LENGTH)
    },
  }
}

function hashOf(key: string): Buffer {
  return createHash('sha256').update(key).digest()
}
