import type { OperationId, ParamValues } from '../api/operation.ts'
import type { Clock } from '../config/clock.ts'

/** A source's answer to one request: a body still to be written as JSON, ready bytes, or not found. */
export type Answered =
  | { kind: 'json'; body: unknown }
  /** `atMs`: when these bytes were the truth, where that is not the source's clock. */
  | { kind: 'bytes'; bytes: Uint8Array; atMs?: number }
  | { kind: 'not_found' }

/** Where the answers of the service come from: a warehouse, recordings, or the simulated market. */
export interface AnswerSource {
  /** The time the source stands at: it decides what "now" and "the last 7 days" mean, and the Date header. */
  readonly clock: Clock
  /** Parameters are checked and defaults filled in. Anything thrown becomes a 500 without its inside. */
  answer(operation: OperationId, params: ParamValues): Promise<Answered>
  /** Currencies in which this source can quote; empty or absent = not known, and any is asked for. */
  currencies?(): Promise<ReadonlySet<string>>
  close(): Promise<void>
}
