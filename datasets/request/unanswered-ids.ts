import type { RejectedRow } from '../dataset.ts'
import { jsonText } from '../record/json-text.ts'

/** The requested ids that the answer lacks. @param comparedAs one text for all forms of an id */
export function unansweredIds(
  asked: readonly string[],
  answered: readonly string[],
  pathOf: (id: string) => string,
  comparedAs = (id: string): string => id,
): RejectedRow[] {
  const known = new Set(answered.map(comparedAs))
  return asked
    .filter((id) => !known.has(comparedAs(id)))
    .map((id) => ({ rule: 'not_in_answer', path: pathOf(id), raw: jsonText(id) }))
}
