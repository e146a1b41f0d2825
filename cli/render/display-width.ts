import stringWidth from 'string-width'

const GRAPHEMES = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** The text filled with blanks to `width` cells of a terminal, before it or after it. */
export function padToWidth(text: string, width: number, side: 'left' | 'right' = 'left'): string {
  const space = ' '.repeat(Math.max(0, width - stringWidth(text)))
  return side === 'left' ? text + space : space + text
}

/** The text cut to `width` cells, with `…` where something is missing. */
export function clipToWidth(text: string, width: number): string {
  if (stringWidth(text) <= width) return text
  let clipped = ''
  let used = 0
  for (const { segment } of GRAPHEMES.segment(text)) {
    used += stringWidth(segment)
    if (used >= width) break
    clipped += segment
  }
  return `${clipped}…`
}
