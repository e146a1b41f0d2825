import { readAnswer } from '../../api/answer.ts'
import { type OperationId, operations } from '../../api/operations.ts'

const CONTEXT = { url: 'u', calls: 1, nowMs: 0, durationMs: 1, key: null }

/** Reads a body that came with status 200 and no header. */
export function readAnswerOf(id: OperationId, body: Uint8Array) {
  const raw = { status: 200, headers: {}, dateMs: null, rate: null, body, encoded: null }
  return readAnswer(operations[id], raw, CONTEXT)
}
