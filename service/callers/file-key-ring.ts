import { statSync } from 'node:fs'
import type { Clock } from '../../config/clock.ts'
import { readKeyFile } from './key-file.ts'
import { hashedKeyRing, type KeyRing } from './key-ring.ts'
import { parseQuotaText } from './quotas.ts'

/** Time between two looks at the file. A revoked key works at most this much longer. */
const CHECK_EVERY_MS = 1_000

/**
 * The keys of a file. Changes of the file take effect without a restart. While the file is missing or broken, no key is
 * accepted.
 *
 * @param clock real time
 * @throws ConfigError KEYS_FILE, but only when the ring is made
 */
export function fileKeyRing(path: string, clock: Clock): KeyRing {
  let ring = ringOf(path)
  let stamp = stampOf(path)
  let checkedAtMs = clock.nowMs()
  function readIfChanged(): void {
    const nowMs = clock.nowMs()
    if (nowMs - checkedAtMs < CHECK_EVERY_MS) return
    checkedAtMs = nowMs
    const seen = stampOf(path)
    if (seen === stamp) return
    stamp = seen
    try {
      ring = ringOf(path)
    } catch {
      ring = hashedKeyRing([])
    }
  }

  return {
    identify: (key) => {
      readIfChanged()
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
