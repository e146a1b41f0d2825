import type { PageTables, RejectedRow, Row } from '../dataset.ts'
import type { ListingRow } from './listing.ts'
import { readMembers } from './read-members.ts'
import type { RecordField } from './record-field.ts'
import { addRejected, countPath, reject } from './rejected-rows.ts'
import { writeRecord } from './write-record.ts'

export type MapOrList = Readonly<Record<string, unknown>> | readonly unknown[]

/** A row of a child table: the values of maps at a key, or of lists at a place. */
export interface KeyedRow extends ListingRow {
  key: string | number
}

/**
 * Joins maps (or lists) by key into rows, in the order in which keys first come. A member that breaks a rule is
 * rejected alone.
 *
 * @param parts each map by its name, the first key in the paths of its fields
 * @param path the JSON path of the object around the maps
 */
export function readKeyedRows(
  fields: readonly RecordField[],
  parts: ReadonlyMap<string, MapOrList>,
  path: string,
  faults: Pick<PageTables, 'rejected' | 'unknownPaths'>,
): KeyedRow[] {
  const rows: KeyedRow[] = []
  for (const [key, members] of sideBySide(parts)) {
    const rejected: RejectedRow[] = []
    const good = isCleanKey(key) ? members : withoutBrokenKey(key, members, path, faults.rejected)
    const record = readMembers(fields, good, path, rejected)
    const inBody = rejected.map((row) => ({ ...row, path: inside(row.path, path, key) }))
    addRejected(faults.rejected, inBody)
    for (const unknown of record.unknown) {
      const at = inside(`${path}.${unknown}`, path, typeof key === 'number' ? '[*]' : '*')
      countPath(faults.unknownPaths, at)
    }
    // A row whose members are all rejected is left out.
    if (Object.keys(good).length > rejected.length)
      rows.push({ ...record, key, index: rows.length })
  }
  return rows
}

/** The maps or lists that rows were read from, by name: the inverse of `readKeyedRows`. Empty maps are missing. */
export function writeKeyedParts(
  fields: readonly RecordField[],
  rows: readonly Row[],
  keyColumn: string,
): Map<string, MapOrList> {
  const entries = new Map<string, [string | number, unknown][]>()
  for (const row of rows) {
    for (const [name, value] of Object.entries(writeRecord(fields, row))) {
      const members = entries.get(name) ?? []
      members.push([row[keyColumn] as string | number, value])
      entries.set(name, members)
    }
  }
  return new Map(Array.from(entries, ([name, members]) => [name, asPart(members)]))
}

function asPart(members: readonly [string | number, unknown][]): MapOrList {
  const isList = typeof members[0]![0] === 'number'
  return isList ? members.map(([, value]) => value) : Object.fromEntries(members)
}

function sideBySide(
  parts: ReadonlyMap<string, MapOrList>,
): Map<string | number, Record<string, unknown>> {
  const byKey = new Map<string | number, Record<string, unknown>>()
  for (const [name, part] of parts) {
    const entries = Array.isArray(part) ? [...part.entries()] : Object.entries(part)
    for (const [key, value] of entries as [string | number, unknown][]) {
      const members = byKey.get(key)
      if (members === undefined) byKey.set(key, { [name]: value })
      else members[name] = value
    }
  }
  return byKey
}

/** Whether UTF-8 can hold the key. Half a character would make it another key. */
function isCleanKey(key: string | number): boolean {
  return typeof key === 'number' || key.isWellFormed()
}

function withoutBrokenKey(
  key: string | number,
  members: Readonly<Record<string, unknown>>,
  path: string,
  rejected: RejectedRow[],
): Record<string, unknown> {
  for (const [name, value] of Object.entries(members)) {
    const at = inside(`${path}.${name}`, path, String(key).toWellFormed())
    reject(rejected, 'not_a_text', at, { [key]: value })
  }
  return {}
}

/** The path in the body: a row's `$.market_data.ath.x` is `$.market_data.ath.<key>.x`, in lists `[3]`. */
function inside(rowPath: string, path: string, key: string | number): string {
  const [name, ...rest] = rowPath.slice(path.length + 1).split('.')
  const at = typeof key === 'number' ? `[${key}]` : key.startsWith('[') ? key : `.${key}`
  return [`${path}.${name}${at}`, ...rest].join('.')
}
