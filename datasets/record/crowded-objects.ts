import { SourceDataError } from '../../api/errors.ts'
import { MAX_DEPTH } from './json-text.ts'

/** Far above the largest object of the interface: prices by id with some hundred keys. */
export const MOST_KEYS = 5_000

const COLON = 58

/** Whether a body may have an object of more than MOST_KEYS keys, by its colons. */
export function mayBeCrowded(body: Uint8Array): boolean {
  let colons = 0
  for (let at = body.indexOf(COLON); at >= 0; at = body.indexOf(COLON, at + 1)) {
    if (++colons > MOST_KEYS) return true
  }
  return false
}

/**
 * Refuses a body with an object of more than MOST_KEYS keys. Copying and counting so many keys would block the only
 * thread.
 *
 * @param path JSON path of `body` in the answer
 * @param depth number of steps in `path`
 * @throws SourceDataError with the JSON path of the object and the number of its keys
 */
export function refuseCrowded(body: unknown, path = '$', depth = 0): void {
  if (typeof body !== 'object' || body === null || depth > MAX_DEPTH) return
  if (Array.isArray(body)) {
    const at = `${path}[*]`
    // An index is faster than an iterator. A chart has a hundred thousand points.
    for (let i = 0; i < body.length; i++) {
      if (typeof body[i] === 'object') refuseCrowded(body[i], at, depth + 1)
    }
    return
  }
  const keys = Object.keys(body)
  if (keys.length > MOST_KEYS) {
    throw new SourceDataError(
      `${path} has ${keys.length} keys; coinlake accepts at most ${MOST_KEYS} in one object`,
    )
  }
  for (const key of keys) {
    const member = (body as Record<string, unknown>)[key]
    if (typeof member === 'object') refuseCrowded(member, `${path}.${key}`, depth + 1)
  }
}
