import { randomBytes } from 'node:crypto'
import { hashKey, idOfHash } from './key-ring.ts'

const KEY_BYTES = 32
/** Shows people and secret scanners where the key comes from. */
const PREFIX = 'cl_'

/** A new random key, to be shown once, and its record for the key file. */
export function makeKey(name: string, rate: string | null, nowMs: number) {
  const key = `${PREFIX}${randomBytes(KEY_BYTES).toString('base64url')}`
  const hash = hashKey(key)
  return {
    key,
    record: {
      id: idOfHash(hash),
      name,
      sha256: hash.toString('hex'),
      rate,
      created_at: new Date(nowMs).toISOString(),
      revoked_at: null,
    },
  }
}
