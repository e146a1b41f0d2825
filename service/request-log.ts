import type { OperationId } from '../api/operations.ts'

export interface RequestEntry {
  method: string
  path: string
  /** Without `?`. Values of key-like parameters are hidden. */
  query: string
  /** 0 = the connection was reset. */
  status: number
  durationMs: number
  /** Null when the path is no operation. */
  operation: OperationId | null
  /** Epoch ms, real time. */
  atMs: number
  /** The address that sent a wrong key. */
  from?: string
  /** The error behind a 500. Callers never see it. */
  fault?: unknown
  /** Names of the faults injected into this answer. */
  injected?: readonly string[]
}

/** The service's own counts, to be compared with those of clients. */
export interface RequestCounts {
  total: number
  byOperation: Partial<Record<OperationId, number>>
  byStatus: Record<number, number>
}

/** Query parameters that carry keys at some providers. */
const SECRET_PARAM_PATTERN = /key|token|secret|password|auth/i

/** A query for logs: values of key-like parameters are hidden. */
export function redactQuery(search: string): string {
  const query = search.startsWith('?') ? search.slice(1) : search
  return query
    .split('&')
    .map((pair) => {
      const [name = ''] = pair.split('=', 1)
      // The decoded name decides: an encoded one may carry a key too.
      const [read = ''] = new URLSearchParams(pair).keys()
      return SECRET_PARAM_PATTERN.test(read) ? `${name}=***` : pair
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
