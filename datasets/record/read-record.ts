import { isRecord } from '../../config/values/is-record.ts'
import type { Scalar } from '../arrow/column-data.ts'
import { jsonText } from './json-text.ts'
import { nearestNumber } from './number-text.ts'
import type { RecordField } from './record-field.ts'
import { isExact, readValue } from './record-value.ts'

export type JsonObject = Readonly<Record<string, unknown>>

export interface ReadRecord {
  values: Record<string, Scalar>
  /** Missing documented keys, dotted inside an inner object. */
  absent: string[]
  /** Values by top-level key: unknown keys, and keys that the columns cannot give back exactly. */
  extra: Map<string, unknown>
  /** Unknown keys, dotted inside an inner object. */
  unknown: string[]
  /** Maps and lists for child tables by column name, without null ones. */
  children: Map<string, JsonObject | readonly unknown[]>
}

interface BrokenRule {
  rule: string
  path: string
}

/** The rule that an object breaks, the path of the bad value, and the whole object. */
export interface BrokenRecord extends BrokenRule {
  value: unknown
}

/** Reads one source object into columns. @param path JSON path of the object */
export function readRecord(
  fields: readonly RecordField[],
  source: unknown,
  path: string,
): ReadRecord | BrokenRecord {
  if (!isRecord(source)) return { rule: 'not_an_object', path, value: source }
  const record: ReadRecord = {
    values: {},
    absent: [],
    extra: new Map(),
    unknown: [],
    children: new Map(),
  }
  const groups = groupsOf(fields)
  for (const [key, group] of groups) {
    const broken = isInner(group)
      ? readInner(record, group, key, source, path)
      : readField(record, group[0]!, source, key, path, key)
    // The whole object goes to quarantine, because its other fields reach no table either.
    if (broken !== null) return { ...broken, value: source }
  }
  for (const key of Object.keys(source)) {
    if (groups.has(key)) continue
    record.unknown.push(key)
    record.extra.set(key, source[key])
  }
  return record
}

const groupsByFields = new WeakMap<readonly RecordField[], Map<string, RecordField[]>>()

/** Fields by top-level key. Made once per list of fields, because a listing has thousands of rows. */
export function groupsOf(fields: readonly RecordField[]): ReadonlyMap<string, RecordField[]> {
  let groups = groupsByFields.get(fields)
  if (groups === undefined) {
    groups = Map.groupBy(fields, ({ path }) => path[0])
    groupsByFields.set(fields, groups)
  }
  return groups
}

export function isInner(group: readonly RecordField[]): boolean {
  return group[0]!.path.length === 2
}

export function absentText({ absent }: Pick<ReadRecord, 'absent'>): string | null {
  return absent.length === 0 ? null : JSON.stringify(absent)
}

export function extraText({ extra }: ReadRecord): string | null {
  return extra.size === 0 ? null : jsonText(Object.fromEntries(extra))
}

/** Reads one field. `extra` keeps a value under the key `top` that the column cannot give back. */
function readField(
  record: ReadRecord,
  field: RecordField,
  source: JsonObject,
  key: string,
  path: string,
  top: string,
): BrokenRule | null {
  const { name, nullable } = field.column
  const isAbsent = !Object.hasOwn(source, key)
  const value = isAbsent ? null : source[key]
  if (isAbsent) record.absent.push(field.path.join('.'))
  if (value === null) {
    if (nullable === false && field.whenMissing === undefined) {
      return { rule: `missing_${name}`, path: `${path}.${key}` }
    }
    // A child table without rows means an empty part, and a column that is never NULL has another value.
    const isNullLost = field.child !== undefined || nullable === false
    if (isNullLost && !isAbsent) record.extra.set(top, null)
    if (field.child === undefined) record.values[name] = field.whenMissing ?? null
    return null
  }
  if (field.child !== undefined) return readChild(record, field, value, `${path}.${key}`)
  if (field.number?.mayBeNumber === true && Number.isFinite(value)) {
    record.values[field.number.column.name] = value as number
    record.values[name] = null
    return null
  }
  const read = readValue(field, value)
  if ('rule' in read) return { rule: read.rule, path: `${path}.${key}` }
  record.values[name] = read.value
  if (field.number !== undefined) {
    record.values[field.number.column.name] = nearestNumber(field.number, read.value as string)
  }
  if (!isExact(field, value, read.value)) record.extra.set(top, value)
  return null
}

function readChild(
  record: ReadRecord,
  field: RecordField,
  value: unknown,
  path: string,
): BrokenRule | null {
  if (field.child === 'list' ? !Array.isArray(value) : !isRecord(value)) {
    return { rule: field.child === 'list' ? 'not_an_array' : 'not_an_object', path }
  }
  record.children.set(field.column.name, value as JsonObject | readonly unknown[])
  return null
}

/** Reads an inner object. `extra` keeps one whose values are all null: NULL columns mean that the object is null. */
function readInner(
  record: ReadRecord,
  group: readonly RecordField[],
  key: string,
  source: JsonObject,
  path: string,
): BrokenRule | null {
  const inner = Object.hasOwn(source, key) ? source[key] : undefined
  if (inner === undefined || inner === null) {
    if (inner === undefined) record.absent.push(key)
    for (const { column } of group) record.values[column.name] = null
    if (inner === null && group.some((field) => field.child !== undefined)) {
      record.extra.set(key, null)
    }
    return null
  }
  if (!isRecord(inner)) return { rule: 'not_an_object', path: `${path}.${key}` }
  let keepWhole = group.every((field) => inner[field.path[1]!] === null)
  const extraBefore = record.extra.size
  for (const field of group) {
    const broken = readField(record, field, inner, field.path[1]!, `${path}.${key}`, key)
    if (broken !== null) return broken
  }
  const known = new Set(group.map((field) => field.path[1]))
  for (const innerKey of Object.keys(inner)) {
    if (known.has(innerKey)) continue
    record.unknown.push(`${key}.${innerKey}`)
    keepWhole = true
  }
  if (keepWhole || record.extra.size > extraBefore) record.extra.set(key, inner)
  return null
}
