import type { OperationId } from '../api/operations.ts'
import type { ParamValues } from '../api/operations/describe-operation.ts'
import type { Clock } from '../config/clock.ts'

/** A source's answer to one request: a body, ready bytes, not found, or no data of the whole operation. */
export type Answered =
  | { kind: 'json'; body: unknown }
  /** `atMs`: time of these bytes; absent = the source's clock. */
  | { kind: 'bytes'; bytes: Uint8Array; atMs?: number }
  | { kind: 'not_found' }
  | { kind: 'no_data' }

/** The source of the service's answers: a warehouse, recordings, or the simulated market. */
export interface AnswerSource {
  /** The time of the source, from which "the last 7 days" and the Date header follow. */
  readonly clock: Clock
  /** `params` are checked and have defaults. The caller of the service sees nothing of a thrown error. */
  answer(operation: OperationId, params: ParamValues): Promise<Answered>
  /** Currencies that this source can quote; empty or absent = unknown, so none is refused. */
  currencies?(): Promise<ReadonlySet<string>>
  close(): Promise<void>
}
