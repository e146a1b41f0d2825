import type { BodyPart } from '../../datasets/dataset.ts'
import type { RecordField } from '../../datasets/record/record-field.ts'

/** A JSON Schema, 2020-12. */
export type JsonSchema = Readonly<Record<string, unknown>>

/** A place in a body, while its schema is built. */
interface Place {
  /** The schema of the field here. */
  schema: JsonSchema
  members: Map<string, Place>
  /** The place of each member of a map, or of each item of a list. */
  each: { map?: Place; list?: Place }
  required: string[]
}

/** The steps of a path: `.key`, `.*` = each member of a map, `[*]` = each item of a list. */
const STEP_PATTERN = /\.\*|\[\*\]|\.[^.[]+/g

/** The schema of a body, from the fields of the datasets. Nearly every field may be null or missing. */
export function bodySchema(parts: readonly BodyPart[]): JsonSchema {
  const body = newPlace()
  for (const { at, fields, each } of parts) {
    const object = placeAt(body, at.match(STEP_PATTERN) ?? [])
    for (const field of fields) {
      const [key, inner] = field.path
      const steps = each === undefined ? [] : [each === 'map' ? '.*' : '[*]']
      const place = placeAt(object, [
        `.${key}`,
        ...steps,
        ...(inner === undefined ? [] : [`.${inner}`]),
      ])
      place.schema = fieldSchema(field)
      const isKey = field.column.nullable === false && field.whenMissing === undefined
      if (isKey && each === undefined && inner === undefined) object.required.push(key)
    }
  }
  return schemaOf(body, false)
}

function newPlace(): Place {
  return { schema: {}, members: new Map(), each: {}, required: [] }
}

function placeAt(start: Place, steps: readonly string[]): Place {
  return steps.reduce((place, step) => {
    if (step === '.*') return (place.each.map ??= newPlace())
    if (step === '[*]') return (place.each.list ??= newPlace())
    const key = step.slice(1)
    const known = place.members.get(key) ?? newPlace()
    place.members.set(key, known)
    return known
  }, start)
}

function schemaOf(place: Place, mayBeNull: boolean): JsonSchema {
  const { schema, members, each, required } = place
  const typeOf = (type: string): unknown => (mayBeNull ? [type, 'null'] : type)
  if (each.list !== undefined) {
    return { ...schema, type: typeOf('array'), items: schemaOf(each.list, false) }
  }
  if (each.map !== undefined) {
    const additionalProperties = schemaOf(each.map, true)
    return { ...schema, type: typeOf('object'), additionalProperties }
  }
  if (members.size === 0) return schema
  const properties = [...members].map(([key, member]) => [key, schemaOf(member, true)] as const)
  return {
    type: typeOf('object'),
    properties: Object.fromEntries(properties),
    ...(required.length === 0 ? {} : { required }),
  }
}

function fieldSchema(field: RecordField): JsonSchema {
  const { unit, description, nullable } = field.column
  const { types, ...more } = valueSchema(field)
  const all = nullable === false ? types : [...types, 'null']
  return {
    ...(types.length === 0 ? {} : { type: all.length === 1 ? all[0] : all }),
    ...more,
    ...(field.child === undefined ? { description } : {}),
    ...(unit === null ? {} : { 'x-unit': unit }),
  }
}

function valueSchema(field: RecordField): { types: string[]; format?: string } {
  if (field.child !== undefined) return { types: [field.child === 'map' ? 'object' : 'array'] }
  if (field.number !== undefined || field.mayBeText === true) return { types: ['number', 'string'] }
  switch (field.column.type) {
    case 'double':
      return { types: ['number'] }
    case 'timestamp':
      if (field.timeText === 'epoch_s') return { types: ['number'] }
      return { types: ['string'], format: 'date-time' }
    case 'date':
      return { types: ['string'], format: 'date' }
    case 'json':
      return { types: [] }
    default:
      return { types: [field.column.type] }
  }
}
