import type { Row } from '../dataset.ts'
import { jsonText } from './json-text.ts'
import { writeKeyedParts } from './keyed-rows.ts'
import { joinPath, type NestedBody, partNames, type Section, splitPath } from './nested-body.ts'
import { withoutKeys } from './read-members.ts'
import { isObject } from './read-record.ts'
import type { Part } from './read-sections.ts'
import { parsed, writeRecord } from './write-record.ts'

type JsonObject = Record<string, unknown>

/**
 * The body that a row and its child rows were read from: the inverse of `readNested`. Keys have the order of the
 * fields.
 */
export function writeNested(
  nested: NestedBody,
  parent: Row,
  childRows: readonly (readonly Row[])[],
): JsonObject {
  const absent = (parsed(parent['_absent']) ?? []) as string[]
  const extra = (parsed(parent['_extra']) ?? {}) as JsonObject
  const parts = partsOf(nested, childRows)
  const written = new Map<string, JsonObject>()
  for (const section of nested.sections) {
    const { outer, key } = splitPath(section.path)
    const outerObject = written.get(outer)
    const isBody = section.path === ''
    if (!isBody && (outerObject === undefined || absent.includes(section.path))) continue
    if (!isBody && extraAt(extra, outer)[key] === null) {
      outerObject![key] = null
      continue
    }
    const object = writeSection(nested, section, { parent, absent, extra, parts })
    if (!isBody) outerObject![key] = object
    written.set(section.path, object)
  }
  return written.get('')!
}

interface StoredBody {
  parent: Row
  absent: readonly string[]
  extra: JsonObject
  parts: ReadonlyMap<string, Part>
}

function writeSection(nested: NestedBody, section: Section, stored: StoredBody): JsonObject {
  const { path, fields } = section
  const inner = nested.sections
    .filter((other) => other.path !== '' && splitPath(other.path).outer === path)
    .map((other) => splitPath(other.path).key)
  const prefix = path === '' ? '' : `${path}.`
  const absent = stored.absent.flatMap((key) =>
    key.startsWith(prefix) ? [key.slice(prefix.length)] : [],
  )
  const extra = withoutKeys(extraAt(stored.extra, path), inner)
  const object = writeRecord(fields, {
    ...stored.parent,
    _absent: JSON.stringify(absent),
    _extra: jsonText(extra),
  })
  for (const field of fields) {
    const [name] = field.path
    if (field.child === undefined || absent.includes(name) || Object.hasOwn(extra, name)) continue
    object[name] = stored.parts.get(joinPath(path, name)) ?? (field.child === 'list' ? [] : {})
  }
  return object
}

function partsOf(nested: NestedBody, childRows: readonly (readonly Row[])[]): Map<string, Part> {
  const parts = new Map<string, Part>()
  nested.children.forEach(({ stacks, key, label }, index) => {
    const rows = childRows[index] ?? []
    for (const stack of stacks) {
      const own = label === null ? rows : rows.filter((row) => row[label.name] === stack.label)
      const written = writeKeyedParts(stack.fields, own, key.name)
      for (const name of partNames(stack)) {
        const part = written.get(name)
        if (part !== undefined) parts.set(joinPath(stack.section, name), part)
      }
    }
  })
  return parts
}

function extraAt(extra: JsonObject, path: string): JsonObject {
  let node: unknown = extra
  for (const step of path === '' ? [] : path.split('.')) {
    node = isObject(node) ? node[step] : undefined
  }
  return isObject(node) ? node : {}
}
