import type { OperationId } from '../api/operations.ts'
import type { ParamValues } from '../api/operations/describe-operation.ts'
import type { Clock } from '../config/clock.ts'

/** A source's answer to one request: a body not yet written as JSON, ready bytes, or not found. */
export type Answered =
  | { kind: 'json'; body: unknown }
  /** `atMs`: the time of these bytes; absent = the time of the source's clock. */
  | { kind: 'bytes'; bytes: Uint8Array; atMs?: number }
  | { kind: 'not_found' }

/** The source of the service's answers: a warehouse, recordings, or the simulated market. */
export interface AnswerSource {
  /** The time of the source. "Now", "the last 7 days" and the Date header follow from this clock. */
  readonly clock: Clock
  /** `params` are checked and have defaults. A thrown error becomes a 500 that shows nothing of it. */
  answer(operation: OperationId, params: ParamValues): Promise<Answered>
  /** Currencies in which this source can quote; empty or absent = not known, so none is refused. */
  currencies?(): Promise<ReadonlySet<string>>
  close(): Promise<void>
}
