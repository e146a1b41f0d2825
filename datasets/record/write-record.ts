import type { Row } from '../dataset.ts'
import { groupsOf, isInner } from './read-record.ts'
import type { RecordField } from './record-field.ts'
import { writeValue } from './record-value.ts'

/** The source object that a row was read from: the inverse of `readRecord`. Keys have the order of the fields. */
export function writeRecord(fields: readonly RecordField[], row: Row): Record<string, unknown> {
  const absent = new Set(absentOf(row))
  const members = new Map<string, unknown>()
  for (const [key, group] of groupsOf(fields)) {
    if (absent.has(key)) continue
    members.set(key, isInner(group) ? writeInner(group, row, absent) : fieldValue(group[0]!, row))
  }
  for (const [key, value] of Object.entries(parsed(row['_extra']) ?? {})) members.set(key, value)
  return Object.fromEntries(members)
}

function writeInner(
  group: readonly RecordField[],
  row: Row,
  absent: ReadonlySet<string>,
): Record<string, unknown> | null {
  const present = group.filter((field) => !absent.has(field.path.join('.')))
  const values = present.map((field) => fieldValue(field, row))
  // The object itself was null when every value is null and no key was absent.
  if (present.length === group.length && values.every((value) => value === null)) return null
  return Object.fromEntries(present.map((field, index) => [field.path[1]!, values[index]]))
}

function fieldValue(field: RecordField, row: Row): unknown {
  const value = row[field.column.name] ?? null
  if (value !== null) return writeValue(field, value)
  return field.number?.mayBeNumber === true ? (row[field.number.column.name] ?? null) : null
}

export function absentOf(row: Row): readonly string[] {
  return (parsed(row['_absent']) ?? []) as string[]
}

/** The value of a JSON text in a row; null: there is none. */
export function parsed(text: Row[string] | undefined): unknown {
  return typeof text === 'string' ? JSON.parse(text) : null
}
