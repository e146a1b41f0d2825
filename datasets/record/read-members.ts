import type { RejectedRow } from '../dataset.ts'
import { type BrokenRecord, type ReadRecord, readRecord } from './read-record.ts'
import type { RecordField } from './record-field.ts'
import { reject } from './rejected-rows.ts'

/**
 * Reads an object whose members are useful alone. A member that breaks a rule goes to quarantine, and the object is
 * read without it.
 *
 * @param path JSON path of the object
 * @returns the broken record when a required member is missing
 */
export function readMembers(
  fields: readonly RecordField[],
  source: Readonly<Record<string, unknown>>,
  path: string,
  rejected: RejectedRow[],
): ReadRecord | BrokenRecord {
  let good = source
  for (;;) {
    const record = readRecord(fields, good, path)
    if (!('rule' in record)) return record
    const key = record.path.slice(path.length + 1).split('.')[0]!
    if (!Object.hasOwn(good, key)) return record
    reject(rejected, record.rule, record.path, good[key])
    good = withoutKeys(good, [key])
  }
}

/** A copy of an object without some of its keys. */
export function withoutKeys(
  source: Readonly<Record<string, unknown>>,
  keys: readonly string[],
): Record<string, unknown> {
  return Object.fromEntries(Object.entries(source).filter(([key]) => !keys.includes(key)))
}
