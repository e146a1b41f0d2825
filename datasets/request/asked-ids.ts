import type { RejectedRow } from '../dataset.ts'
import { jsonText } from '../record/json-text.ts'

/**
 * The requested ids that are missing in the answer, as rows for the quarantine, because a source drops
 * unknown ids silently. Case is ignored, because a source writes some addresses in lower case.
 */
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
