import type { JsonSchema } from '../../../service/openapi/body-schema.ts'

/** Paths of a body that its schema does not speak of, or where it says another type. */
export function undescribed(
  value: unknown,
  given: JsonSchema,
  schemas: Readonly<Record<string, JsonSchema>>,
  path = '$',
): Set<string> {
  const all = alternatives(given, schemas)
  // A schema of anything: what lies below is told to be of no concern.
  if (all.some((schema) => schema['type'] === undefined)) return new Set()
  const types = all.flatMap((schema) => schema['type'] as string | string[])
  if (!types.some((type) => isOf(value, type)))
    return new Set([`${path}: ${JSON.stringify(value)}`])
  if (typeof value !== 'object' || value === null) return new Set()
  if (Array.isArray(value)) {
    const items = all.map((schema) => schema['items'])
    const known = items.filter(
      (item): item is JsonSchema => typeof item === 'object' && item !== null,
    )
    return new Set(
      value.flatMap((item) => [...undescribed(item, { anyOf: known }, schemas, `${path}[]`)]),
    )
  }
  return new Set(
    Object.entries(value).flatMap(([key, field]) => {
      const described = all.flatMap((schema) => {
        const own = (schema['properties'] as Record<string, JsonSchema> | undefined)?.[key]
        const any = schema['additionalProperties'] as JsonSchema | undefined
        const isMap = any !== undefined && Object.keys(any).length > 0
        return [...(own === undefined ? [] : [own]), ...(isMap ? [any] : [])]
      })
      if (described.length === 0) return [`${path}.${key}`]
      return [...undescribed(field, { anyOf: described }, schemas, `${path}.${key}`)]
    }),
  )
}

function alternatives(
  schema: JsonSchema,
  schemas: Readonly<Record<string, JsonSchema>>,
): JsonSchema[] {
  const ref = schema['$ref']
  if (typeof ref === 'string') return alternatives(schemas[ref.split('/').at(-1)!]!, schemas)
  const several = schema['anyOf'] as JsonSchema[] | undefined
  return several === undefined ? [schema] : several.flatMap((one) => alternatives(one, schemas))
}

function isOf(value: unknown, type: string): boolean {
  if (value === null) return type === 'null'
  if (Array.isArray(value)) return type === 'array'
  if (type === 'integer') return Number.isInteger(value)
  return typeof value === type
}
