import { createHash } from 'node:crypto'
import type { Order } from './order.ts'

const HEX_DIGITS = 20

/**
 * Identity of an order: the first 20 hex digits of a SHA-256. The sequence of keys does not count. The sequence of
 * lists does, because the work follows it. A key with the value undefined counts as absent, as in JSON.
 */
export function orderId(order: Order): string {
  return createHash('sha256').update(canonical(order)).digest('hex').slice(0, HEX_DIGITS)
}

function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) => {
    if (inner === null || typeof inner !== 'object' || Array.isArray(inner)) return inner
    return Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
  })
}
