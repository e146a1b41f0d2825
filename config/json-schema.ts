import { z } from 'zod'
import { DATASET_KEYS, GRANULARITY_ALIASES, keysOf, type DatasetShape } from './dataset-shape.ts'
import { configSchema } from './schema.ts'

type Json = Record<string, unknown>

/**
 * The schema of coinlake.yaml for editors: draft-7, which is what YAML language servers read. Each
 * dataset gets a section of its own with the keys and granularities it takes: a map, or a list of them.
 */
export function configJsonSchema(shapes: readonly DatasetShape[]): Json {
  const schema: Json = z.toJSONSchema(configSchema, { target: 'draft-7' })
  const datasets = (schema['properties'] as Record<string, Json>)['datasets']
  const orders = datasets?.['additionalProperties'] as { items: Json }
  const sections = shapes.map(
    (shape) => [shape.name, datasetJsonSchema(orders.items, shape)] as const,
  )
  return {
    title: 'coinlake.yaml',
    ...schema,
    properties: {
      ...(schema['properties'] as Json),
      datasets: {
        description: datasets?.['description'],
        type: ['object', 'null'],
        properties: Object.fromEntries(sections),
        additionalProperties: false,
      },
    },
  }
}

/** As it stands in the file `config.schema.json`. */
export function configJsonSchemaText(shapes: readonly DatasetShape[]): string {
  return `${JSON.stringify(configJsonSchema(shapes), null, 2)}\n`
}

function datasetJsonSchema(anyOrder: Json, shape: DatasetShape): Json {
  const all = anyOrder['properties'] as Record<string, Json>
  const taken = new Set(keysOf(shape))
  const properties: Record<string, Json> = { name: all['name']! }
  for (const key of DATASET_KEYS) {
    const schema = all[key]
    if (!taken.has(key) || schema === undefined) continue
    properties[key] = key === 'granularity' ? granularityJsonSchema(schema, shape) : schema
  }
  return {
    ...(shape.description === undefined ? {} : { description: shape.description }),
    type: ['object', 'array', 'null'],
    properties,
    additionalProperties: false,
    // By reference, as the file would be twice as long; that a list in a list passes is told by `config check`.
    items: { $ref: `#/properties/datasets/properties/${shape.name}` },
    minItems: 1,
  }
}

function granularityJsonSchema({ description }: Json, shape: DatasetShape): Json {
  const word = { enum: granularityWords(shape) }
  const list = { type: 'array', items: word, minItems: 1 }
  return { description, anyOf: [word, list] }
}

function granularityWords(shape: DatasetShape): string[] {
  const offered = new Set<string>(shape.granularities)
  const aliases = Object.entries(GRANULARITY_ALIASES)
  return [...aliases.filter(([, stored]) => offered.has(stored)).map(([word]) => word), ...offered]
}
