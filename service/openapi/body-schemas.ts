import { type OperationId, operations } from '../../api/operations.ts'
import { datasets } from '../../datasets/index.ts'
import { bodySchema } from './body-schema.ts'
import type { JsonSchema } from './body-schema.ts'
import { ERROR_BODY, PLAIN_BODIES } from './plain-bodies.ts'

export function schemaRef(name: string): string {
  return `#/components/schemas/${name}`
}

export const ERROR_SCHEMA = 'Error'

/** The schemas of all bodies by name, and each operation's name in them. */
export interface BodySchemas {
  schemas: Readonly<Record<string, JsonSchema>>
  nameOf: (operation: OperationId) => string
}

/** JSON Schemas of all bodies. Operations with equal bodies share one. */
export function bodySchemas(): BodySchemas {
  const schemas: Record<string, JsonSchema> = { [ERROR_SCHEMA]: ERROR_BODY }
  const names = new Map<OperationId, string>()
  const known = new Map<string, string>()
  for (const id of Object.keys(operations) as OperationId[]) {
    const schema = schemaOfBody(id)
    const text = JSON.stringify(schema)
    const name = known.get(text) ?? schemaName(id)
    known.set(text, name)
    names.set(id, name)
    schemas[name] = schema
  }
  return { schemas, nameOf: (operation) => names.get(operation)! }
}

function schemaOfBody(id: OperationId): JsonSchema {
  const plain = PLAIN_BODIES[id]
  if (plain !== undefined) return plain
  const parts = datasets.flatMap(({ bodies }) => bodies?.[id] ?? [])
  if (parts.length === 0) throw new Error(`no dataset has the fields of the body of ${id}`)
  return bodySchema(parts)
}

/** `coins/{id}/market_chart` -> `CoinsByIdMarketChart`. */
function schemaName(id: string): string {
  return id
    .replaceAll(/\{(\w+)\}/g, 'by_$1')
    .split(/[/_]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')
}
