/**
 * Characters that a terminal, a log viewer or a browser obeys instead of drawing. The joiner is
 * allowed, because it makes one emoji of several.
 *
 * - controls: C0, DEL, C1
 * - formats: bidi marks, zero widths, tags
 * - line and paragraph separators
 * - halves of a surrogate pair
 */
const OBEYED_PATTERN = /[[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]--\u200d]/gv
const OBEYED_IN_LINES_PATTERN = /[[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]--[\u200d\n\t]]/gv
const SHORT: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }

/**
 * A foreign text on one line, with obeyed characters escaped as in JSON (`\u001b`, `\u202e`, `\n`). A text
 * that is printable already stays as it is.
 */
export function printable(text: string): string {
  return text.replace(OBEYED_PATTERN, (found) => SHORT[found] ?? escaped(found))
}

/** Like `printable`, but keeps line breaks and tabs, for a page or a document. */
export function printableLines(text: string): string {
  return text.replace(OBEYED_IN_LINES_PATTERN, escaped)
}

/**
 * A value as printable JSON. JSON.stringify does not escape DEL, C1 controls, bidi marks and U+2028;
 * escaping them does not change the value.
 *
 * @param indent blanks per level; 0 = all on one line
 */
export function printableJson(value: unknown, indent = 0): string {
  return printableLines(JSON.stringify(value, null, indent))
}

/** Escapes each UTF-16 unit, as JSON does. */
function escaped(character: string): string {
  const units = Array.from({ length: character.length }, (_, at) => character.charCodeAt(at))
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('')
}
