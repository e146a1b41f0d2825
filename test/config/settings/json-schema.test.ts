import { expect, test } from 'vitest'
import { configJsonSchema } from '../../../config/settings/json-schema.ts'
import { shapes } from '../shapes.ts'

interface SchemaNode {
  $ref?: string
  definitions?: Record<string, SchemaNode>
  description?: string
  properties?: Record<string, SchemaNode>
  additionalProperties?: boolean
}

const schema: SchemaNode = configJsonSchema(shapes)

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
