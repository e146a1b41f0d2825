const GRAPHEMES = new Intl.Segmenter('en', { granularity: 'grapheme' })
const ASCII = /^[\x20-\x7e]*$/
/** Drawn two cells wide: emoji, and the blocks of Chinese, Japanese and Korean. */
const WIDE =
  /\p{Emoji_Presentation}|[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6]|[\u{20000}-\u{3fffd}]/u
const CONTROL = /[\p{Cc}\p{Cf}\u2028\u2029]/gu

/** How many cells of a terminal a text takes. */
export function displayWidth(text: string): number {
  if (ASCII.test(text)) return text.length
  let width = 0
  for (const { segment } of GRAPHEMES.segment(text)) width += WIDE.test(segment) ? 2 : 1
  return width
}

/** The text cut to `width` cells, with `…` where something is missing. */
export function clipToWidth(text: string, width: number): string {
  if (displayWidth(text) <= width) return text
  let clipped = ''
  let used = 0
  for (const { segment } of GRAPHEMES.segment(text)) {
    used += displayWidth(segment)
    if (used >= width) break
    clipped += segment
  }
  return `${clipped}…`
}

/**
 * The text without characters that a terminal would obey instead of drawing: names come from a
 * source and may hold anything.
 */
export function printable(text: string): string {
  return text.replace(CONTROL, (character) =>
    character === '\u200d'
      ? character
      : (ESCAPES[character] ?? `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`),
  )
}

const ESCAPES: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }
