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
  from?: string | undefined
  /** The error behind a 500. Callers never see it. */
  fault?: unknown
  /** Names of the faults injected into this answer. */
  injected?: readonly string[] | undefined
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
