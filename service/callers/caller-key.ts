import type { Profile } from '../../config/profiles.ts'

/** The value of a header by its lower-case name; undefined when it was not sent. */
type HeaderOf = (name: string) => string | undefined

/** The key of a request, from the header or the query parameter of the profile; null = none. */
export function callerKey(
  { auth }: Profile,
  header: HeaderOf,
  query: ReadonlyMap<string, readonly string[]>,
): string | null {
  const sent = header(auth.header)?.trim() ?? ''
  const prefix = auth.template.replace('{key}', '').trim()
  const key = prefix === '' ? sent : afterWord(prefix, sent)
  if (key !== null && key !== '') return key
  return auth.queryParam === null ? null : (query.get(auth.queryParam)?.at(-1) ?? null)
}

/** The code of the refusal when a key came in the header of another host; null when none did. */
export function foreignKeyCode({ served }: Profile, header: HeaderOf): number | null {
  const sent = Object.entries(served.foreignKeyHeaders).find(([name]) => header(name) !== undefined)
  return sent?.[1] ?? null
}

/** The key `abc` of `Bearer abc`: `word` in any case, then exactly one more word; else null. */
function afterWord(word: string, text: string): string | null {
  const [first = '', ...others] = text.split(/\s+/)
  return first.toLowerCase() === word.toLowerCase() && others.length === 1 ? others[0]! : null
}
