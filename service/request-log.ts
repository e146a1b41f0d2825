import type { OperationId } from '../api/operation.ts'

/** One request as the service saw it. */
export interface RequestEntry {
  method: string
  path: string
  /** Without the leading `?`; values of key-like parameters are hidden. */
  query: string
  /** 0 where the connection was reset before any was sent. */
  status: number
  durationMs: number
  /** Null when the path is no operation. */
  operation: OperationId | null
  /** Epoch ms, real time. */
  atMs: number
  /** The address that a wrong key came from. */
  from?: string
  /** The error behind a 500: the caller of the service never sees it. */
  fault?: unknown
  /** Faults that were ordered (faults/) and met this answer. */
  injected?: readonly string[]
}

/** The service's own count, against which clients are held. */
export interface RequestCounts {
  total: number
  byOperation: Partial<Record<OperationId, number>>
  byStatus: Record<number, number>
}

/** Names of query parameters that carry keys at some providers. */
const SECRET_PARAM = /key|token|secret|password|auth/i

/** A query as it may be written down. */
export function redactQuery(search: string): string {
  const query = search.startsWith('?') ? search.slice(1) : search
  return query
    .split('&')
    .map((pair) => {
      const [name = ''] = pair.split('=', 1)
      // By the name as the service reads it: an encoded one carries a key just as well.
      const [read = ''] = new URLSearchParams(pair).keys()
      return SECRET_PARAM.test(read) ? `${name}=***` : pair
    })
    .join('&')
}

/** Adds up entries. */
export function createRequestCounter(): {
  add(entry: RequestEntry): void
  counts(): RequestCounts
} {
  const counts: RequestCounts = { total: 0, byOperation: {}, byStatus: {} }
  return {
    add: ({ operation, status }) => {
      counts.total += 1
      counts.byStatus[status] = (counts.byStatus[status] ?? 0) + 1
      if (operation === null) return
      counts.byOperation[operation] = (counts.byOperation[operation] ?? 0) + 1
    },
    counts: () => structuredClone(counts),
  }
}
