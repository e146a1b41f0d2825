import { createHash } from 'node:crypto'

/** Short fingerprint of everything that shapes a published file but its rows: a change means "write it again". */
export function definitionHash(...parts: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 16)
}
