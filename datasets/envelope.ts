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
  const keys = Object.keys(beside)
  if (keys.length > 0) row?.extra.set(BESIDE, beside)
  return Object.fromEntries(keys.map((key) => [`${path}.${key}`, 1]))
}

/** An object in its envelope, with what was kept beside it. */
export function inEnvelope(record: Readonly<Record<string, unknown>>, inner: string): object {
  const { [BESIDE]: beside, ...own } = record
  return { ...(beside as object | undefined), [inner]: own }
}
