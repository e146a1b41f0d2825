import { SourceDataError } from '../../api/errors.ts'
import { MAX_DEPTH } from './json-text.ts'

/** Prices by id have the most keys of all objects: some hundreds. */
export const MOST_KEYS = 5_000

const COLON = 58

/** Whether an answer has colons enough for an object of this many keys: a chart has three, however long it is. */
export function mayBeCrowded(body: Uint8Array): boolean {
  let colons = 0
  for (let at = body.indexOf(COLON); at >= 0; at = body.indexOf(COLON, at + 1)) {
    if (++colons > MOST_KEYS) return true
  }
  return false
}

/**
 * Looks for an object that has more keys than any in the interface, before rows are made: each copy of
 * such an object holds the only thread, and each of its keys is counted as unknown. `path` and `depth`
 * are those of `body` in the answer.
 *
 * @throws SourceDataError with the JSON path of the object and the number of its keys.
 */
export function refuseCrowded(body: unknown, path = '$', depth = 0): void {
  if (typeof body !== 'object' || body === null || depth > MAX_DEPTH) return
  if (Array.isArray(body)) {
    const at = `${path}[*]`
    // No iterator: a chart has a hundred thousand points, which are lists too.
    for (let i = 0; i < body.length; i++) {
      if (typeof body[i] === 'object') refuseCrowded(body[i], at, depth + 1)
    }
    return
  }
  const keys = Object.keys(body)
  if (keys.length > MOST_KEYS) {
    throw new SourceDataError(
      `${path} has ${keys.length} keys, and no object of an answer has more than ${MOST_KEYS}`,
    )
  }
  for (const key of keys) {
    const member = (body as Record<string, unknown>)[key]
    if (typeof member === 'object') refuseCrowded(member, `${path}.${key}`, depth + 1)
  }
}
