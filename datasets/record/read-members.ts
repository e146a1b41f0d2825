import type { RejectedRow } from '../dataset.ts'
import { type JsonObject, type ReadRecord, readRecord } from './read-record.ts'
import type { RecordField } from './record-field.ts'
import { reject } from './rejected-rows.ts'

/**
 * Reads an object whose members are useful alone. A member that breaks a rule goes to quarantine, and the object is
 * read without it.
 *
 * @param path JSON path of the object
 * @throws Error when a required member is missing: only a mistake in coinlake's code causes it
 */
export function readMembers(
  fields: readonly RecordField[],
  source: JsonObject,
  path: string,
  rejected: RejectedRow[],
): ReadRecord {
  let good = source
  for (;;) {
    const record = readRecord(fields, good, path)
    if (!('rule' in record)) return record
    const key = record.path.slice(path.length + 1).split('.')[0]!
    if (!Object.hasOwn(good, key)) throw new Error(`${record.path}: ${record.rule}`)
    reject(rejected, record.rule, record.path, good[key])
    good = withoutKeys(good, [key])
  }
}

export function withoutKeys(source: JsonObject, keys: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(source).filter(([key]) => !keys.includes(key)))
}
