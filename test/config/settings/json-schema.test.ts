import { expect, test } from 'vitest'
import { configJsonSchema } from '../../../config/settings/json-schema.ts'
import { shapes } from '../shapes.ts'

interface SchemaNode {
  $ref?: string
  definitions?: Record<string, SchemaNode>
  description?: string
  anyOf?: SchemaNode[]
  properties?: Record<string, SchemaNode>
  additionalProperties?: boolean
}

const schema: SchemaNode = configJsonSchema(shapes)
const sections = schema.properties?.['datasets']?.properties ?? {}

test('every key is described and no map takes unknown keys', () => {
  const keys: string[] = []
  const walk = (node: SchemaNode, path: string): void => {
    if (node.properties !== undefined) expect(node.additionalProperties, path).toBe(false)
    for (const [key, child] of Object.entries(node.properties ?? {})) {
      const childPath = `${path}/${key}`
      keys.push(childPath)
      const named = schema.definitions?.[child.$ref?.replace('#/definitions/', '') ?? '']
      const { description } = named ?? child
      expect(description, childPath).toMatch(/\w{2,}/)
      walk(child, childPath)
    }
  }
  walk(schema, '')
  expect(keys).toEqual(
    expect.arrayContaining(['/source/rate/per', '/stage/keep', '/datasets/market_chart/coins']),
  )
})

test('a dataset has the keys and granularities it takes', () => {
  const keysOf = (name: string) => Object.keys(sections[name]?.properties ?? {}).slice(1)
  expect(keysOf('market_chart')).toEqual([
    'coins',
    'vs_currencies',
    'granularity',
    'from',
    'to',
    'ignore',
  ])
  expect(keysOf('coin_markets')).toEqual(['coins', 'vs_currencies', 'every', 'ignore'])
  expect(keysOf('exchange_tickers')).toEqual(['exchanges', 'every', 'ignore'])
  expect(keysOf('price_quotes')).toEqual(['coins', 'vs_currencies', 'every', 'ignore'])
  expect(keysOf('token_details')).toEqual(['tokens', 'every', 'ignore'])
  expect(keysOf('search_results')).toEqual(['queries', 'every', 'ignore'])
  expect(keysOf('coins')).toEqual(['every'])
  const granularity = sections['market_chart']?.properties?.['granularity']
  const words = { enum: ['hourly', 'daily', '1h', '1d', '5m'] }
  expect(granularity?.anyOf).toEqual([words, { type: 'array', items: words, minItems: 1 }])
})
