import { randomBytes } from 'node:crypto'
import { hashKey, keyId } from './key-ring.ts'
import type { KeyRecord } from './key-file.ts'

/** 256 random bits: nothing to guess, so that a plain hash of it can be kept. */
const KEY_BYTES = 32
/** Shows people and secret scanners the origin of the key. */
const PREFIX = 'cl_'

/** A new key, which is shown once, and what is kept of it. */
export function makeKey(
  name: string,
  rate: string | null,
  nowMs: number,
): { key: string; record: KeyRecord } {
  const key = `${PREFIX}${randomBytes(KEY_BYTES).toString('base64url')}`
  const hash = hashKey(key)
  return {
    key,
    record: {
      id: keyId(hash),
      name,
      sha256: hash.toString('hex'),
      rate,
      created_at: new Date(nowMs).toISOString(),
      revoked_at: null,
    },
  }
}
