import type { ColumnsByName, Scalar } from '../arrow/column-data.ts'
import type { PageContext, PageTables } from '../dataset.ts'
import { type KeyedRow, readKeyedRows } from './keyed-rows.ts'
import { listingColumns, listingPage, pageTable } from './listing.ts'
import {
  type ChildRows,
  joinPath,
  jsonPath,
  type NestedBody,
  partNames,
  sectionColumns,
} from './nested-body.ts'
import { absentText } from './read-record.ts'
import {
  nestedExtraText,
  keepExtra,
  type Part,
  type ReadSections,
  readSections,
} from './read-sections.ts'

/** Values that every row of a body shares: the requested id. */
export type SharedColumns = Readonly<Record<string, Scalar>>

/**
 * A body as one row of its parent table and rows of the child tables. `shared` columns have the requested value. If the
 * body has another one, `_extra` keeps that.
 */
export function readNested(
  nested: NestedBody,
  body: Readonly<Record<string, unknown>>,
  context: PageContext,
  shared: SharedColumns,
): PageTables {
  const read = readSections(nested.sections, body, nested.leftOut)
  keepOtherIds(nested, read, body, shared)
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

function keepOtherIds(
  { sections }: NestedBody,
  read: ReadSections,
  body: Readonly<Record<string, unknown>>,
  shared: SharedColumns,
): void {
  for (const { path, column } of sections[0]!.fields) {
    const asked = shared[column.name]
    if (asked === undefined || !Object.hasOwn(body, path[0])) continue
    if (body[path[0]] !== asked) keepExtra(read, '', path[0], body[path[0]])
  }
}

function parentColumns({ sections }: NestedBody, read: ReadSections): ColumnsByName {
  const columns: Record<string, readonly Scalar[]> = {
    _absent: [absentText(read)],
    _extra: [nestedExtraText(read)],
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
    const parts = new Map<string, Part>()
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
      ...(label === null ? {} : { [label.name]: rows.map((row) => row.label) }),
    },
    rowCount: rows.length,
  }
}
