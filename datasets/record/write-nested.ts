import { isRecord } from '../../config/values/is-record.ts'
import type { Row } from '../dataset.ts'
import { jsonText } from './json-text.ts'
import { type MapOrList, writeKeyedParts } from './keyed-rows.ts'
import { innerSections, joinPath, type NestedBody, type Section } from './nested-body.ts'
import { withoutKeys } from './read-members.ts'
import type { JsonObject } from './read-record.ts'
import { absentOf, parsed, writeRecord } from './write-record.ts'

interface StoredBody {
  nested: NestedBody
  parent: Row
  absent: readonly string[]
  extra: unknown
  parts: ReadonlyMap<string, MapOrList>
}

/** The body that a row and its child rows were read from: the inverse of `readNested`. */
export function writeNested(
  nested: NestedBody,
  parent: Row,
  childRows: readonly (readonly Row[])[],
): Record<string, unknown> {
  const stored = { nested, parent, absent: absentOf(parent), parts: partsOf(nested, childRows) }
  return writeSection({ ...stored, extra: parsed(parent['_extra']) }, nested.sections[0]!)
}

/** Writes a section and the sections inside it. `extra` is the section's node. */
function writeSection(stored: StoredBody, { path, fields }: Section): Record<string, unknown> {
  const inner = innerSections(stored.nested.sections, path)
  const prefix = path === '' ? '' : `${path}.`
  const absent = stored.absent
    .filter((key) => key.startsWith(prefix))
    .map((key) => key.slice(prefix.length))
  const node: JsonObject = isRecord(stored.extra) ? stored.extra : {}
  const extra = withoutKeys(node, [...inner.keys()])
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
  for (const [key, section] of inner) {
    if (absent.includes(key)) continue
    const isNull = node[key] === null
    object[key] = isNull ? null : writeSection({ ...stored, extra: node[key] }, section)
  }
  return object
}

function partsOf(
  nested: NestedBody,
  childRows: readonly (readonly Row[])[],
): Map<string, MapOrList> {
  const parts = new Map<string, MapOrList>()
  nested.children.forEach(({ stacks, key, label }, index) => {
    const rows = childRows[index] ?? []
    for (const stack of stacks) {
      const own = label === undefined ? rows : rows.filter((row) => row[label.name] === stack.label)
      for (const [name, part] of writeKeyedParts(stack.fields, own, key.name)) {
        parts.set(joinPath(stack.section, name), part)
      }
    }
  })
  return parts
}
