import { statSync } from 'node:fs'
import { readKeyFile } from './key-file.ts'
import { hashedKeyRing, type KeyRing } from './key-ring.ts'
import { parseQuotaText } from './quotas.ts'

/**
 * The keys of a file. Changes of the file take effect without a restart. While the file is missing or broken, no key is
 * accepted.
 *
 * @throws ConfigError KEYS_FILE, but only when the ring is made
 */
export function fileKeyRing(path: string): KeyRing {
  let ring = ringOf(path)
  let stamp = stampOf(path)
  return {
    identify: (key) => {
      const seen = stampOf(path)
      if (seen !== stamp) {
        stamp = seen
        try {
          ring = ringOf(path)
        } catch {
          ring = hashedKeyRing([])
        }
      }
      return ring.identify(key)
    },
  }
}

function ringOf(path: string): KeyRing {
  const accepted = readKeyFile(path).filter(({ revoked_at }) => revoked_at === null)
  return hashedKeyRing(
    accepted.map(({ sha256, rate }) => ({
      hash: Buffer.from(sha256, 'hex'),
      quota: rate === null ? null : parseQuotaText(rate),
    })),
  )
}

/** A text that changes with the file: a change always replaces the file. */
function stampOf(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false })
  return found === undefined ? '' : `${found.ino}/${found.mtimeMs}/${found.size}`
}
