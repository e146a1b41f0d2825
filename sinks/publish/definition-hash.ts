import { createHash } from 'node:crypto'

/**
 * Short fingerprint of all that shapes a published file, except its rows. The order of keys counts.
 * If it changes, the file is made again.
 */
export function definitionHash(...parts: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 16)
}
