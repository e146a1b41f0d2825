/** The start's share of a cut text. The end matters too: there messages name the URL. */
const HEAD_SHARE = 2 / 3
const GAP = ' ... '

/** The text; its two ends if it is longer than `maxChars`. */
export function cutText(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text
  const head = Math.ceil((maxChars - GAP.length) * HEAD_SHARE)
  const tail = maxChars - GAP.length - head
  return `${text.slice(0, head)}${GAP}${text.slice(text.length - tail)}`.toWellFormed()
}
