import type { BodyPart, Column, TableSpec } from '../dataset.ts'
import { child, columnsOf, type RecordField } from './record-field.ts'

/** An object inside a body. Its fields become columns of the body's one row. */
export interface Section {
  /** Keys from the body to the object, joined by dots; '': the body itself, which comes first. */
  path: string
  fields: readonly RecordField[]
}

/**
 * Maps that share their keys, or lists that share their places. They become one row per key with one column per map.
 * `path[0]` of a field names its map.
 */
export interface ParallelParts {
  /** Value of the table's label column; '': the table has none. */
  label: string
  section: string
  fields: readonly RecordField[]
}

/** A child table: the rows of one `ParallelParts`, or of several that a label tells apart. */
export interface ChildRows {
  spec: TableSpec
  shape: 'map' | 'list'
  /** Column of the maps' keys, or of the places in the lists. */
  key: Column
  /** Column of the stacks' labels; absent: the table has one stack. */
  label?: Column
  stacks: readonly ParallelParts[]
}

/** A body that becomes one row of a table, and rows of child tables. */
export interface NestedBody {
  parent: TableSpec
  sections: readonly Section[]
  children: readonly ChildRows[]
  leftOut: readonly string[]
}

/** Adds a field to the sections for each map or list that becomes rows. */
export function withChildren(
  sections: readonly Section[],
  children: readonly Pick<ChildRows, 'shape' | 'stacks'>[],
): Section[] {
  return sections.map(({ path, fields }) => ({
    path,
    fields: [
      ...fields,
      ...children.flatMap(({ shape, stacks }) =>
        stacks
          .filter(({ section }) => section === path)
          .flatMap((stack) => partNames(stack))
          .map((name) => child(name, shape, 'Rows of a child table.')),
      ),
    ],
  }))
}

export function partNames({ fields }: ParallelParts): string[] {
  return [...new Set(fields.map(({ path }) => path[0]))]
}

export function sectionColumns(sections: readonly Section[]): Column[] {
  return sections.flatMap(({ fields }) => columnsOf(fields))
}

export function joinPath(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`
}

export function jsonPath(section: string): string {
  return section === '' ? '$' : `$.${section}`
}

/** The sections directly inside the one at `path`, by their key in it. */
export function innerSections(
  sections: readonly Section[],
  path: string,
): ReadonlyMap<string, Section> {
  const below = path === '' ? '' : `${path}.`
  return new Map(
    sections
      .filter((one) => one.path !== path && one.path.startsWith(below))
      .map((one) => [one.path.slice(below.length), one] as const)
      .filter(([key]) => !key.includes('.')),
  )
}

export function nestedParts({ sections, children }: NestedBody): BodyPart[] {
  return [
    ...sections.map(({ path, fields }) => ({ at: jsonPath(path), fields })),
    ...children.flatMap(({ shape, stacks }) =>
      stacks.map(({ section, fields }) => ({ at: jsonPath(section), fields, each: shape })),
    ),
  ]
}
