import type { RejectedRow } from '../dataset.ts'
import { jsonText } from '../record/json-text.ts'

/** The requested ids that the answer lacks. Case is ignored, because a source may change that of an address. */
export function unansweredIds(
  asked: readonly string[],
  answered: readonly string[],
  pathOf: (id: string) => string,
): RejectedRow[] {
  const folded = new Set(answered.map((id) => id.toLowerCase()))
  return asked
    .filter((id) => !folded.has(id.toLowerCase()))
    .map((id) => ({ rule: 'not_in_answer', path: pathOf(id), raw: jsonText(id) }))
}
