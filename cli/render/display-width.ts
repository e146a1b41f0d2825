import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)
const ASCII_PATTERN = /^[\x20-\x7e]*$/

/** Cells of a text on a terminal. Only text beyond ASCII loads the library, which takes 50 ms. */
export function displayWidth(text: string): number {
  if (ASCII_PATTERN.test(text)) return text.length
  const { default: stringWidth } = require('string-width') as typeof import('string-width')
  return stringWidth(text)
}

/** The text filled with blanks to `width` cells of a terminal. `side` is the side of the text. */
export function padToWidth(text: string, width: number, side: 'left' | 'right' = 'left'): string {
  const space = ' '.repeat(Math.max(0, width - displayWidth(text)))
  return side === 'left' ? text + space : space + text
}

/** The text cut to `width` cells, with `…` at a cut. */
export function clipToWidth(text: string, width: number): string {
  if (displayWidth(text) <= width) return text
  const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })
  let clipped = ''
  let used = 0
  for (const { segment } of graphemes.segment(text)) {
    used += displayWidth(segment)
    if (used >= width) break
    clipped += segment
  }
  return `${clipped}…`
}
