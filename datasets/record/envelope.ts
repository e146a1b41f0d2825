import type { ReadRecord } from './read-record.ts'

/** Key of `_extra` for the members beside an object in its envelope. No source has such a key. */
const BESIDE = '$beside'

/**
 * Keeps the members beside the object `inner` of an envelope in the object's row.
 *
 * @param path the envelope's JSON path
 * @returns these members as unknown paths with counts
 */
export function keepBeside(
  row: ReadRecord | undefined,
  envelope: Readonly<Record<string, unknown>>,
  inner: string,
  path: string,
): Record<string, number> {
  const { [inner]: _inner, ...beside } = envelope
  setBeside(row, beside)
  return Object.fromEntries(Object.keys(beside).map((key) => [`${path}.${key}`, 1]))
}

/** Keeps members of an envelope in a row. A listing passes the first row of the page. */
export function setBeside(
  row: ReadRecord | undefined,
  beside: Readonly<Record<string, unknown>>,
): void {
  if (Object.keys(beside).length > 0) row?.extra.set(BESIDE, beside)
}

/** Splits a written record into its own members and those beside it in its envelope. */
export function splitBeside(record: Readonly<Record<string, unknown>>): {
  own: Record<string, unknown>
  beside: object
} {
  const { [BESIDE]: beside, ...own } = record
  return { own, beside: (beside as object | undefined) ?? {} }
}

export function inEnvelope(record: Readonly<Record<string, unknown>>, inner: string): object {
  const { own, beside } = splitBeside(record)
  return { ...beside, [inner]: own }
}
