import { createHash } from 'node:crypto'

/** The four task queues of one export, by the role of the worker that polls each. */
export interface QueueNames {
  workflows: string
  control: string
  fetch: string
  load: string
}

/** 48 bits: enough that two keys never meet, far too few to say anything about a key. */
const ID_HEX_DIGITS = 12

/**
 * A short name for "this key at this service", stable over processes and machines, so that all
 * workers that spend the same budget share one capped queue. It is a hash: the key itself never
 * reaches a queue name, a log or a history.
 */
export function keyId(secret: string | null, baseUrl: string): string {
  const origin = new URL(baseUrl).origin
  return createHash('sha256')
    .update(`${origin}\n${secret ?? ''}`)
    .digest('hex')
    .slice(0, ID_HEX_DIGITS)
}

/**
 * The names of the queues. Workflows and control are shared by everybody on the server; fetch is
 * one per API key (it carries the key's cap), load one per warehouse (it has one slot, held by the
 * process that has the store open).
 */
export function queueNames(ids: { keyId: string; warehouseId: string }): QueueNames {
  return {
    workflows: 'coinlake-workflows',
    control: 'coinlake-control',
    fetch: `coinlake-fetch.${ids.keyId}`,
    load: `coinlake-load.${ids.warehouseId}`,
  }
}
