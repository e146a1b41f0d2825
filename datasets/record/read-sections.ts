import type { Scalar } from '../arrow/column-data.ts'
import type { RejectedRow } from '../dataset.ts'
import { jsonText } from './json-text.ts'
import { joinPath, jsonPath, type Section, splitPath } from './nested-body.ts'
import { readMembers, withoutKeys } from './read-members.ts'
import { isObject } from './read-record.ts'
import { reject } from './rejected-rows.ts'

type JsonObject = Readonly<Record<string, unknown>>

export type Part = JsonObject | readonly unknown[]

/** A node of `_extra`, nested as in the body. A Map is an inner node, anything else a value. */
type ExtraNode = Map<string, unknown>

/** The one row of a body's sections. Bad members are rejected alone. */
export interface ReadSections {
  values: Record<string, Scalar>
  /** Missing documented keys, with the path of their section. */
  absent: string[]
  extra: ExtraNode
  parts: Map<string, Part>
  rejected: RejectedRow[]
  unknownPaths: Record<string, number>
}

/** Reads the sections of a body. @param leftOut top-level keys that are not read */
export function readSections(
  sections: readonly Section[],
  body: JsonObject,
  leftOut: readonly string[],
): ReadSections {
  const read: ReadSections = {
    values: {},
    absent: [],
    extra: new Map(),
    parts: new Map(),
    rejected: [],
    unknownPaths: {},
  }
  const readObjects = new Map<string, JsonObject>()
  for (const section of sections) {
    const source = section.path === '' ? body : sectionSource(read, readObjects, section.path)
    if (source === null) continue
    readObjects.set(section.path, source)
    const inner = sections
      .filter(({ path }) => path !== '' && splitPath(path).outer === section.path)
      .map(({ path }) => splitPath(path).key)
    const own = withoutKeys(source, section.path === '' ? [...inner, ...leftOut] : inner)
    readSection(read, section, own)
  }
  return read
}

export function nestedExtraText({ extra }: ReadSections): string | null {
  return extra.size === 0 ? null : jsonText(plain(extra))
}

/** Keeps a value of the body in `_extra`. @param path path of the object that has the key */
export function keepExtra(read: ReadSections, path: string, key: string, value: unknown): void {
  let node = read.extra
  for (const step of path === '' ? [] : path.split('.')) {
    const next = (node.get(step) as ExtraNode | undefined) ?? new Map<string, unknown>()
    node.set(step, next)
    node = next
  }
  node.set(key, value)
}

/** The object of a section; null: there is none. Then `absent`, `extra` or `rejected` records it. */
function sectionSource(
  read: ReadSections,
  readObjects: ReadonlyMap<string, JsonObject>,
  path: string,
): JsonObject | null {
  const { outer, key } = splitPath(path)
  const outerObject = readObjects.get(outer)
  if (outerObject === undefined) return null
  const value = Object.hasOwn(outerObject, key) ? outerObject[key] : undefined
  if (isObject(value)) return value
  if (value === null) keepExtra(read, outer, key, null)
  else read.absent.push(path)
  if (value !== null && value !== undefined) {
    reject(read.rejected, 'not_an_object', jsonPath(path), value)
  }
  return null
}

function readSection(read: ReadSections, { path, fields }: Section, own: JsonObject): void {
  const at = jsonPath(path)
  const record = readMembers(fields, own, at, read.rejected)
  if ('rule' in record)
    throw new Error(`${record.path}: ${record.rule}: a section has no such rule`)
  Object.assign(read.values, record.values)
  read.absent.push(...record.absent.map((key) => joinPath(path, key)))
  for (const key of record.unknown) read.unknownPaths[`${at}.${key}`] = 1
  for (const [key, value] of record.extra) keepExtra(read, path, key, value)
  for (const [name, part] of record.children) read.parts.set(joinPath(path, name), part)
}

function plain(node: ExtraNode): Record<string, unknown> {
  return Object.fromEntries(
    [...node].map(([key, value]) => [key, value instanceof Map ? plain(value) : value]),
  )
}
