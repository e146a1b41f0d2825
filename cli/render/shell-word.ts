/** Words that need no quotes in a shell. */
const PLAIN_WORD_PATTERN = /^[\w@%+=:,./-]+$/

/** A text as one word of a shell command. */
export function shellWord(word: string): string {
  return PLAIN_WORD_PATTERN.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}
