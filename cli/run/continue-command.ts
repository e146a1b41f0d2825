/** Options that the command copies, by commander's names. */
const COPIED_OPTIONS = [
  'warehouse',
  'dataset',
  'from',
  'to',
  'coins',
  'exchanges',
  'derivativeExchanges',
  'tokens',
  'queries',
  'vs',
  'granularity',
]
/** Words that need no quotes in a shell. */
const PLAIN_WORD_PATTERN = /^[\w@%+=:,./-]+$/

/** The shell command that goes on with the run of these options. */
export function continueCommand(
  options: Record<string, unknown>,
  verb: 'backfill' | 'refetch' = 'backfill',
): string {
  const { config } = options
  const words = ['coinlake', verb, ...(typeof config === 'string' ? ['-c', config] : [])]
  for (const name of COPIED_OPTIONS) {
    const value = options[name]
    const flag = name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
    if (typeof value === 'string') words.push(`--${flag}`, value)
  }
  return words.map(shellWord).join(' ')
}

function shellWord(word: string): string {
  return PLAIN_WORD_PATTERN.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}
