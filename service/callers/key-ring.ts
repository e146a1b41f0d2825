import { createHash, timingSafeEqual } from 'node:crypto'
import type { QuotaOptions } from './quota.ts'

/** The owner of an accepted key. */
export interface KeyIdentity {
  /** The start of the key's hash. */
  id: string
  /** The quota of this key; null = that of the service. */
  quota: QuotaOptions | null
}

/** The keys that a service accepts, as hashes only, so that a dump of the process reveals no key. */
export interface KeyRing {
  /** Null when the key is not accepted. */
  identify(key: string): KeyIdentity | null
}

/** One accepted key. */
export interface HashedKey {
  /** SHA-256 of the key. No slow hash is needed, because nobody can guess a random key of 256 bits. */
  hash: Buffer
  quota: QuotaOptions | null
}

/** Hex digits of a key's id. */
const KEY_ID_LENGTH = 8

/** A ring of keys, all with the quota of the service. */
export function createKeyRing(keys: readonly string[]): KeyRing {
  return hashedKeyRing(keys.map((key) => ({ hash: hashKey(key), quota: null })))
}

/** A ring of hashed keys. `identify` always compares with every key in full, so its time reveals nothing. */
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

/** One ring of several. `identify` always asks all of them. */
export function joinKeyRings(rings: readonly KeyRing[]): KeyRing {
  return {
    identify: (key) =>
      rings.map((ring) => ring.identify(key)).find((found) => found !== null) ?? null,
  }
}

export function hashKey(key: string): Buffer {
  return createHash('sha256').update(key).digest()
}

/** The id of a key in quotas and listings: the first digits of its hash. */
export function keyId(hash: Buffer): string {
  return hash.toString('hex').slice(0, KEY_ID_LENGTH)
}
