/** A line of its own that stands for any number of lines. */
const ELLIPSIS = '...'

/** Parts that differ in any two runs: the published file, the time of day, and how long something took. */
const MASKS: readonly [RegExp, string][] = [
  [/\bcoinlake-\d{8}T\d{6}-[\da-f]*/g, 'coinlake-version'],
  [/\b\d{1,2}:\d{2}:\d{2}(?:\.\d+)?\b/g, 'hh:mm:ss'],
  [/\b\d+(?:\.\d+)? ?(?:seconds?|s|ms)\b/g, 'N s'],
]

/** Whether commands printed what their page shows, but for what differs in each run and blanks at the end of lines. */
export function isSameOutput(shown: string, printed: string): boolean {
  const pattern = linesOf(shown)
    .map((line) => (line === ELLIPSIS ? '(?:.*\n)*?' : `${escaped(line)}\n`))
    .join('')
  return new RegExp(`^${pattern}$`).test(linesOf(printed).join('\n') + '\n')
}

/** Whether a page shows only parts of an output, so that it cannot be written anew by itself. */
export function isAbridged(shown: string): boolean {
  return linesOf(shown).includes(ELLIPSIS)
}

function linesOf(text: string): string[] {
  const masked = MASKS.reduce((masked, [what, mask]) => masked.replaceAll(what, mask), text)
  return masked
    .trimEnd()
    .split('\n')
    .map((line) => line.trimEnd())
}

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')
}
