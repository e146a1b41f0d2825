import { createHash, timingSafeEqual } from 'node:crypto'
import type { QuotaOptions } from './quota.ts'

/** Whose key it was. */
export interface KeyIdentity {
  /** Start of the key's hash: separates keys, and is useless to guess them. */
  id: string
  /** The quota of this key alone; null = that of the service. */
  quota: QuotaOptions | null
}

/** The hashes of the keys that a service accepts, and no keys, so that a dump of the process reveals no key. */
export interface KeyRing {
  /** Null when the key is not accepted. */
  identify(key: string): KeyIdentity | null
}

/** One accepted key. */
export interface HashedKey {
  /** SHA-256 of the key. Enough for random keys of 256 bits: there is no dictionary to try. */
  hash: Buffer
  quota: QuotaOptions | null
}

/** Hex digits of a hash that name a key. */
const KEY_ID_LENGTH = 8

/** Puts keys on a ring, all under the quota of the service. */
export function createKeyRing(keys: readonly string[]): KeyRing {
  return hashedKeyRing(keys.map((key) => ({ hash: hashKey(key), quota: null })))
}

/** Puts hashed keys on a ring. Every comparison reads every key in full, so its time reveals nothing. */
export function hashedKeyRing(keys: readonly HashedKey[]): KeyRing {
  return {
    identify: (key) => {
      const asked = hashKey(key)
      let found: HashedKey | null = null
      for (const candidate of keys) {
        if (timingSafeEqual(candidate.hash, asked)) found = candidate
      }
      return found === null ? null : { id: keyId(found.hash), quota: found.quota }
    },
  }
}

/** Asks each ring in turn, always all of them. */
export function joinKeyRings(rings: readonly KeyRing[]): KeyRing {
  return {
    identify: (key) =>
      rings.map((ring) => ring.identify(key)).find((found) => found !== null) ?? null,
  }
}

export function hashKey(key: string): Buffer {
  return createHash('sha256').update(key).digest()
}

/** The name of a key in quotas and listings: the first digits of its hash. */
export function keyId(hash: Buffer): string {
  return hash.toString('hex').slice(0, KEY_ID_LENGTH)
}
