import { z } from 'zod'
import { COIN_BODY } from '../bodies/coin-detail.ts'
import { ERROR_BODY } from '../bodies/error.ts'
import { TICKER } from '../bodies/tickers.ts'
import type { OperationId } from '../operation.ts'
import { responseBodies } from '../response-bodies.ts'

/** A JSON Schema, 2020-12. */
export type JsonSchema = Readonly<Record<string, unknown>>

/** Where a schema stands in the document. */
export function schemaRef(name: string): string {
  return `#/components/schemas/${name}`
}

/** Name of the refusal's schema. */
export const ERROR_SCHEMA = 'Error'

/** The schemas of all bodies by name, and which of them each operation answers with. */
export interface BodySchemas {
  schemas: Readonly<Record<string, JsonSchema>>
  nameOf: (operation: OperationId) => string
}

/**
 * Makes JSON Schemas of the bodies in api/bodies/. Operations that share a body share its schema, which
 * is called after the first of them; parts that stand in several have a name of their own.
 */
export function bodySchemas(): BodySchemas {
  const registry = z.registry<{ id: string }>()
  const names = new Map<z.ZodType, string>([
    [ERROR_BODY, ERROR_SCHEMA],
    [TICKER, 'Ticker'],
    [COIN_BODY, 'Coin'],
  ])
  for (const [id, body] of Object.entries(responseBodies)) {
    if (!names.has(body)) names.set(body, schemaName(id))
  }
  for (const [body, id] of names) registry.add(body, { id })
  const { schemas } = z.toJSONSchema(registry, {
    uri: schemaRef,
    io: 'output',
    override: ({ jsonSchema }) => flattenTuple(jsonSchema),
  })
  return {
    schemas: Object.fromEntries(
      Object.entries(schemas).map(([name, schema]) => [name, withoutHeader(schema)]),
    ),
    nameOf: (operation) => names.get(responseBodies[operation])!,
  }
}

/** `coins/{id}/market_chart` -> `CoinsByIdMarketChart`. */
function schemaName(id: string): string {
  return id
    .replaceAll(/\{(\w+)\}/g, 'by_$1')
    .split(/[/_]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')
}

/**
 * Points as lists of so many items of these types: test tools of OpenAPI read `prefixItems` as the
 * `items` of an older dialect and then refuse the document.
 */
function flattenTuple(schema: z.core.JSONSchema.BaseSchema): void {
  const { prefixItems } = schema
  if (!Array.isArray(prefixItems)) return
  const distinct = new Map(prefixItems.map((item) => [JSON.stringify(item), item]))
  Object.assign(schema, {
    items: { anyOf: [...distinct.values()] },
    minItems: prefixItems.length,
    maxItems: prefixItems.length,
  })
  delete schema.prefixItems
}

/** The document says for all schemas which dialect they are in and where they stand. */
function withoutHeader(schema: Readonly<Record<string, unknown>>): JsonSchema {
  const { $schema: _dialect, $id: _place, ...rest } = schema
  return rest
}
