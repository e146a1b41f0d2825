/**
 * Characters that a terminal, a log viewer or a browser obeys instead of drawing: controls (C0, DEL, C1),
 * formats (bidi marks, zero widths, tags), line and paragraph separators, and halves of a pair. Not the
 * joiner, which makes one emoji of several.
 */
const OBEYED = /[[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]--\u200d]/gv
const OBEYED_IN_LINES = /[[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]--[\u200d\n\t]]/gv
const SHORT: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }

/**
 * A text of others on one line: what would be obeyed stands there as JSON writes it (`\u001b`, `\u202e`,
 * `\n`). A text that went through before stays as it is.
 */
export function printable(text: string): string {
  return text.replace(OBEYED, (found) => SHORT[found] ?? escaped(found))
}

/** Makes a text with lines and tabs of its own printable: a page, a document. */
export function printableLines(text: string): string {
  return text.replace(OBEYED_IN_LINES, escaped)
}

/**
 * A value as JSON that may be shown: `JSON.stringify` leaves DEL, C1 controls, bidi marks and U+2028 as
 * they are; escaped they are the same value.
 *
 * @param indent blanks of a level; 0 = all on one line
 */
export function printableJson(value: unknown, indent = 0): string {
  return printableLines(JSON.stringify(value, null, indent))
}

/** By UTF-16 unit, as JSON has it. */
function escaped(character: string): string {
  const units = Array.from({ length: character.length }, (_, at) => character.charCodeAt(at))
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('')
}
