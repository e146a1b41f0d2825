import { type OperationId, operations } from '../../api/operations.ts'
import { datasets } from '../../datasets/index.ts'
import { bodySchema, type JsonSchema } from './body-schema.ts'

const CHART: JsonSchema = {
  type: 'object',
  description: 'Values are in the requested currency',
  properties: {
    prices: points('[epoch ms, price]', ['number', 'null']),
    market_caps: points('[epoch ms, market cap]', ['number', 'null']),
    total_volumes: points('[epoch ms, volume of the 24 hours before]', ['number', 'null']),
  },
  required: ['prices', 'market_caps', 'total_volumes'],
}

const QUOTES: JsonSchema = {
  type: 'object',
  description:
    'By coin: the price by currency, and `<currency>_market_cap`, `_24h_vol`, `_24h_change`, `last_updated_at`',
  additionalProperties: { type: 'object', additionalProperties: { type: ['number', 'null'] } },
}

const PING_KEYS = ['status', 'gecko_says']

/** The schemas of bodies that no dataset describes by fields: points, quotes, a list of codes. */
const PLAIN_BODIES: Readonly<Partial<Record<OperationId, JsonSchema>>> = {
  ping: {
    anyOf: PING_KEYS.map((key) => ({
      type: 'object',
      properties: { [key]: { type: 'string' } },
      required: [key],
    })),
  },
  'simple/price': QUOTES,
  'simple/token_price/{id}': QUOTES,
  'simple/supported_vs_currencies': { type: 'array', items: { type: 'string' } },
  'coins/{id}/market_chart': CHART,
  'coins/{id}/market_chart/range': CHART,
  'coins/{id}/contract/{contract_address}/market_chart': CHART,
  'coins/{id}/contract/{contract_address}/market_chart/range': CHART,
  'coins/{id}/ohlc': points(
    '[epoch ms of the close, open, high, low, close]; the last candle is still running',
    ['number', 'null'],
    5,
  ),
  'exchanges/{id}/volume_chart': points('[epoch ms, BTC of the 24 hours before as decimal text]', [
    'number',
    'string',
    'null',
  ]),
}

export function schemaRef(name: string): string {
  return `#/components/schemas/${name}`
}

/** JSON Schemas of all bodies by name, and each operation's name in them. Operations with equal bodies share one. */
export function bodySchemas() {
  const schemas: Record<string, JsonSchema> = {}
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
  return { schemas, nameOf: (operation: OperationId): string => names.get(operation)! }
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

/** Points whose members may all have any of `types`: test tools of OpenAPI misread `prefixItems`. */
function points(description: string, types: readonly string[], length = 2): JsonSchema {
  const items = { type: types }
  return {
    type: 'array',
    description,
    items: { type: 'array', items, minItems: length, maxItems: length },
  }
}
