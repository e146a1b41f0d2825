import { statSync } from 'node:fs'
import type { Clock } from '../../config/clock.ts'
import { readKeyFile } from './key-file.ts'
import { hashedKeyRing } from './key-ring.ts'
import type { KeyRing } from './key-ring.ts'
import { parseQuotaText } from './quota-text.ts'

/** A revoked key works this much longer at most. */
const LOOK_AGAIN_MS = 1_000

/**
 * The keys of a file, which is looked at again while the service runs: who revokes a key need not
 * restart it. A file that was there and has gone or broken accepts no key until it is whole again.
 *
 * @param clock real time
 * @throws ConfigError KEYS_FILE, at the start only
 */
export function fileKeyRing(path: string, clock: Clock): KeyRing {
  let ring = ringOf(path)
  let stamp = stampOf(path)
  let lookedAtMs = clock.nowMs()

  function lookAgain(): void {
    const nowMs = clock.nowMs()
    if (nowMs - lookedAtMs < LOOK_AGAIN_MS) return
    lookedAtMs = nowMs
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
      lookAgain()
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

/** Changes whenever the file does: it is always replaced, never written in place. */
function stampOf(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false })
  return found === undefined ? '' : `${found.ino}/${found.mtimeMs}/${found.size}`
}
