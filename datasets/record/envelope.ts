import type { ReadRecord } from './read-record.ts'

/** Key of `_extra` for what stands beside an object in its envelope; no source has such a key. */
const BESIDE = '$beside'

/**
 * Keeps what stands beside an object (`inner`) in its envelope with the row of the object, and counts
 * it: nothing else is documented there. `path` is that of the envelope as a pattern.
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

/** Keeps members of an envelope with a row: of a listing, with the first that the page has. */
export function setBeside(
  row: ReadRecord | undefined,
  beside: Readonly<Record<string, unknown>>,
): void {
  if (Object.keys(beside).length > 0) row?.extra.set(BESIDE, beside)
}

/** A record as it stood in its envelope, and what was kept beside it there. */
export function splitBeside(record: Readonly<Record<string, unknown>>): {
  own: Record<string, unknown>
  beside: object
} {
  const { [BESIDE]: beside, ...own } = record
  return { own, beside: (beside as object | undefined) ?? {} }
}

/** An object in its envelope, with what was kept beside it. */
export function inEnvelope(record: Readonly<Record<string, unknown>>, inner: string): object {
  const { own, beside } = splitBeside(record)
  return { ...beside, [inner]: own }
}
