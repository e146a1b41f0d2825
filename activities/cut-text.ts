/** The share of a cut text that shows its start. The rest shows its end, where messages name the URL. */
const HEAD_SHARE = 2 / 3
const GAP = ' ... '

/** The text, or its two ends when it is longer, so that histories and reports stay small. */
export function cutText(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text
  const head = Math.ceil((maxChars - GAP.length) * HEAD_SHARE)
  const tail = maxChars - GAP.length - head
  return `${text.slice(0, head)}${GAP}${text.slice(text.length - tail)}`.toWellFormed()
}
