import { CHOICE_FLAGS, textOption } from './choice-flags.ts'

/** Words that need no quotes in a shell. */
const PLAIN_WORD_PATTERN = /^[\w@%+=:,./-]+$/

/** The shell command that goes on with the run of these options. */
export function continueCommand(
  options: Record<string, unknown>,
  verb: 'backfill' | 'refetch' = 'backfill',
): string {
  const config = textOption(options, 'config')
  const words = ['coinlake', verb, ...(config === undefined ? [] : ['-c', config])]
  for (const name of ['warehouse', 'dataset', ...CHOICE_FLAGS]) {
    const value = textOption(options, name)
    const flag = name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
    if (value !== undefined) words.push(`--${flag}`, value)
  }
  return words.map(shellWord).join(' ')
}

function shellWord(word: string): string {
  return PLAIN_WORD_PATTERN.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}
