import { isRecord } from '../../config/values/is-record.ts'
import { SourceDataError } from '../../api/errors.ts'
import type { RejectedRow, Row } from '../dataset.ts'
import type { Listing } from './listing.ts'
import type { JsonObject, ReadRecord } from './read-record.ts'
import { countPath, reject } from './rejected-rows.ts'
import { parsed } from './write-record.ts'

/** Key of `_extra` for the members beside an object in its envelope. No source has such a key. */
export const BESIDE = '$beside'

/** A body that has a text under `key`. @throws SourceDataError: it is no object, or the text is missing */
export function bodyWithText(body: unknown, key: string): JsonObject {
  if (!isRecord(body)) throw new SourceDataError('$ is no object')
  if (typeof body[key] !== 'string') throw new SourceDataError(`$.${key} is no text`)
  return body
}

/** A body that has a name, which may be null. @throws SourceDataError: as bodyWithText */
export function bodyWithName(body: unknown): JsonObject {
  return isRecord(body) && body['name'] === null ? body : bodyWithText(body, 'name')
}

/** A body with an object under `inner`. @throws SourceDataError: there is no such object */
export function bodyAround<K extends string>(
  body: unknown,
  inner: K,
): JsonObject & Record<K, JsonObject> {
  if (isRecord(body) && isRecord(body[inner])) return body as JsonObject & Record<K, JsonObject>
  throw new SourceDataError(`$.${inner} is no object`)
}

/**
 * Parts a body from the items of its lists, which have tables of their own. In `own` the lists that were sent are empty;
 * `items` has an empty list for one that was not, or was null. Another value in place of a list is rejected.
 *
 * @throws SourceDataError: the body is no object, or a required list is no array
 */
export function splitLists<K extends string>(
  body: unknown,
  lists: readonly { key: K; isRequired: boolean }[],
): {
  own: JsonObject
  items: Record<K, readonly unknown[]>
  rejected: RejectedRow[]
} {
  if (!isRecord(body)) throw new SourceDataError('$ is no object')
  const own: Record<string, unknown> = { ...body }
  const items = {} as Record<K, readonly unknown[]>
  const rejected: RejectedRow[] = []
  for (const { key, isRequired } of lists) {
    const list = body[key]
    const isList = Array.isArray(list)
    if (isRequired && !isList) throw new SourceDataError(`$.${key} is no array`)
    items[key] = isList ? list : []
    if (isList) own[key] = []
    else if (list !== null && list !== undefined) {
      reject(rejected, 'not_an_array', `$.${key}`, list)
      delete own[key]
    }
  }
  return { own, items, rejected }
}

/** Whether the list `key` of a stored body was null. `writeRecord` has no other value for a list. */
export function wasNull(row: Row, key: string): boolean {
  return Object.hasOwn(parsed(row['_extra']) ?? {}, key)
}

/** Keeps an envelope's members beside `inner` in the row of that object, and counts them as unknown under `path`. */
export function keepBeside(
  { unknownPaths }: Pick<Listing, 'unknownPaths'>,
  row: ReadRecord | undefined,
  envelope: JsonObject,
  inner: string,
  path: string,
): void {
  const { [inner]: _inner, ...beside } = envelope
  setBeside(row, beside)
  for (const key of Object.keys(beside)) countPath(unknownPaths, `${path}.${key}`)
}

/** Keeps members of an envelope in a row. A listing passes the first row of the page. */
export function setBeside(row: ReadRecord | undefined, beside: JsonObject): void {
  if (Object.keys(beside).length > 0) row?.extra.set(BESIDE, beside)
}

/** Splits a written record into its own members and those beside it in its envelope. */
export function splitBeside(record: JsonObject): { own: Record<string, unknown>; beside: object } {
  const { [BESIDE]: beside, ...own } = record
  return { own, beside: (beside as object | undefined) ?? {} }
}

export function inEnvelope(record: JsonObject, inner: string): object {
  const { own, beside } = splitBeside(record)
  return { ...beside, [inner]: own }
}
