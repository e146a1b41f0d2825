import { createHash, timingSafeEqual } from 'node:crypto'
import type { KeyIdentity, QuotaOptions } from './quotas.ts'

/** The keys that a service accepts. Only hashes, so that a memory dump reveals no key. */
export interface KeyRing {
  /** null = not accepted. */
  identify(key: string): KeyIdentity | null
}

export interface HashedKey {
  /** SHA-256 of the key. A fast hash is enough: nobody guesses 256 random bits. */
  hash: Buffer
  quota: QuotaOptions | null
}

const KEY_ID_LENGTH = 8

/** A ring of keys with the quota of the service. */
export function createKeyRing(keys: readonly string[]): KeyRing {
  return hashedKeyRing(keys.map((key) => ({ hash: hashKey(key), quota: null })))
}

/** A ring of hashed keys. `identify` compares with every key, so its duration reveals nothing. */
export function hashedKeyRing(keys: readonly HashedKey[]): KeyRing {
  return {
    identify: (key) => {
      const asked = hashKey(key)
      let found: HashedKey | null = null
      for (const candidate of keys) {
        if (timingSafeEqual(candidate.hash, asked)) found = candidate
      }
      return found === null ? null : { id: idOfHash(found.hash), quota: found.quota }
    },
  }
}

/** One ring of several. `identify` asks all of them. */
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
export function idOfHash(hash: Buffer): string {
  return hash.toString('hex').slice(0, KEY_ID_LENGTH)
}
