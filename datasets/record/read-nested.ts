import { isRecord } from '../../config/values/is-record.ts'
import type { ColumnsByName, Scalar } from '../arrow/column-data.ts'
import type { PageContext, PageTables } from '../dataset.ts'
import { jsonText } from './json-text.ts'
import { type KeyedRow, type MapOrList, readKeyedRows } from './keyed-rows.ts'
import { listingColumns, listingPage, pageTable } from './listing.ts'
import {
  type ChildRows,
  innerSections,
  joinPath,
  jsonPath,
  type NestedBody,
  partNames,
  type Section,
  sectionColumns,
} from './nested-body.ts'
import { readMembers, withoutKeys } from './read-members.ts'
import { absentText, type JsonObject, type ReadRecord } from './read-record.ts'
import { reject } from './rejected-rows.ts'

/** A node of `_extra`, nested as in the body. A Map is an inner node, anything else a value. */
type ExtraNode = ReadRecord['extra']

/** The one row of a body's sections, with paths from the body. Bad members are rejected alone. */
interface ReadSections
  extends
    Pick<ReadRecord, 'values' | 'absent' | 'extra'>,
    Pick<PageTables, 'rejected' | 'unknownPaths'> {
  parts: Map<string, MapOrList>
}

/**
 * A body as one row of its parent table and rows of the child tables.
 *
 * @param shared columns with a value that all rows share: the requested id. If the body has another one, `_extra` keeps
 *   that
 */
export function readNested(
  nested: NestedBody,
  body: JsonObject,
  context: PageContext,
  shared: Readonly<Record<string, Scalar>>,
): PageTables {
  const read: ReadSections = {
    values: {},
    absent: [],
    extra: new Map(),
    parts: new Map(),
    rejected: [],
    unknownPaths: {},
  }
  const [top] = nested.sections
  readSection(read, nested.sections, top!, withoutKeys(body, nested.leftOut))
  for (const { path, column } of top!.fields) {
    const [asked, sent] = [shared[column.name], body[path[0]]]
    if (asked !== undefined && sent !== undefined && sent !== asked) {
      keepExtra(read, '', path[0], sent)
    }
  }
  const ids = Object.fromEntries(
    Object.entries(shared).map(([name, constant]) => [name, { constant }]),
  )
  const parent = { ...parentColumns(nested, read), ...ids }
  const tables = nested.children.map((child) => {
    const { columns, rowCount } = childColumns(child, read)
    return pageTable(child.spec, { ...columns, ...ids }, rowCount, context)
  })
  tables.unshift(pageTable(nested.parent, parent, 1, context))
  return listingPage({ ...read, itemCount: 1, duplicates: 0 }, tables)
}

function readSection(
  read: ReadSections,
  sections: readonly Section[],
  { path, fields }: Section,
  source: JsonObject,
): void {
  const inner = innerSections(sections, path)
  const at = jsonPath(path)
  const own = withoutKeys(source, [...inner.keys()])
  const record = readMembers(fields, own, at, read.rejected)
  Object.assign(read.values, record.values)
  read.absent.push(...record.absent.map((key) => joinPath(path, key)))
  for (const key of record.unknown) read.unknownPaths[`${at}.${key}`] = 1
  for (const [key, value] of record.extra) keepExtra(read, path, key, value)
  for (const [name, part] of record.children) read.parts.set(joinPath(path, name), part)
  for (const [key, section] of inner) {
    const value = Object.hasOwn(source, key) ? source[key] : undefined
    if (isRecord(value)) readSection(read, sections, section, value)
    else if (value === null) keepExtra(read, path, key, null)
    else {
      read.absent.push(section.path)
      if (value !== undefined) reject(read.rejected, 'not_an_object', `${at}.${key}`, value)
    }
  }
}

/** Keeps a value of the body in `_extra`. @param path path of the object that has the key */
function keepExtra(read: ReadSections, path: string, key: string, value: unknown): void {
  let node = read.extra
  for (const step of path === '' ? [] : path.split('.')) {
    const next = (node.get(step) as ExtraNode | undefined) ?? new Map<string, unknown>()
    node.set(step, next)
    node = next
  }
  node.set(key, value)
}

function plain(node: ExtraNode): JsonObject {
  return Object.fromEntries(
    [...node].map(([key, value]) => [key, value instanceof Map ? plain(value) : value]),
  )
}

function parentColumns({ sections }: NestedBody, read: ReadSections): ColumnsByName {
  const columns: Record<string, readonly Scalar[]> = {
    _absent: [absentText(read)],
    _extra: [read.extra.size === 0 ? null : jsonText(plain(read.extra))],
  }
  for (const { name } of sectionColumns(sections)) columns[name] = [read.values[name] ?? null]
  return columns
}

function childColumns(
  { stacks, key, label }: ChildRows,
  read: ReadSections,
): { columns: ColumnsByName; rowCount: number } {
  const rows: (KeyedRow & { label: string })[] = []
  for (const stack of stacks) {
    const parts = new Map<string, MapOrList>()
    for (const name of partNames(stack)) {
      const part = read.parts.get(joinPath(stack.section, name))
      if (part !== undefined) parts.set(name, part)
    }
    const found = readKeyedRows(stack.fields, parts, jsonPath(stack.section), read)
    rows.push(...found.map((row) => ({ ...row, label: stack.label })))
  }
  return {
    columns: {
      // Every stack fills the same columns.
      ...listingColumns(stacks[0]!.fields, rows),
      [key.name]: rows.map((row) => row.key),
      ...(label === undefined ? {} : { [label.name]: rows.map((row) => row.label) }),
    },
    rowCount: rows.length,
  }
}
