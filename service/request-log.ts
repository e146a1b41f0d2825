import type { OperationId } from '../api/operations.ts'

/** One answered request. */
export interface RequestEntry {
  method: string
  path: string
  /** Without the leading `?`, and with the values of key-like parameters hidden. */
  query: string
  /** 0 = the connection was reset before an answer. */
  status: number
  durationMs: number
  /** Null when the path is no operation. */
  operation: OperationId | null
  /** Epoch ms, real time. */
  atMs: number
  /** The address that sent a wrong key. */
  from?: string
  /** The error behind a 500, which is never sent to the caller. */
  fault?: unknown
  /** Names of the faults injected into this answer. */
  injected?: readonly string[]
}

/** The service's own counts, to compare with those of clients. */
export interface RequestCounts {
  total: number
  byOperation: Partial<Record<OperationId, number>>
  byStatus: Record<number, number>
}

/** Names of query parameters that carry keys at some providers. */
const SECRET_PARAM = /key|token|secret|password|auth/i

/** A query with the values of key-like parameters hidden, for logs. */
export function redactQuery(search: string): string {
  const query = search.startsWith('?') ? search.slice(1) : search
  return query
    .split('&')
    .map((pair) => {
      const [name = ''] = pair.split('=', 1)
      // The decoded name decides, because an encoded name may also carry a key.
      const [read = ''] = new URLSearchParams(pair).keys()
      return SECRET_PARAM.test(read) ? `${name}=***` : pair
    })
    .join('&')
}

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
