import type { RejectedRow } from '../dataset.ts'
import { jsonText } from '../record/json-text.ts'

/**
 * Ids that a request named and its answer does not have, each by name for the quarantine: a source
 * drops unknown ids in silence. Case does not matter, as it writes some addresses in lower case.
 */
export function notAnswered(
  asked: readonly string[],
  answered: readonly string[],
  pathOf: (id: string) => string,
): RejectedRow[] {
  const folded = new Set(answered.map((id) => id.toLowerCase()))
  return asked
    .filter((id) => !folded.has(id.toLowerCase()))
    .map((id) => ({ rule: 'not_in_answer', path: pathOf(id), raw: jsonText(id) }))
}
