import { GRANULARITY_ALIASES, type DatasetShape } from '../dataset-shape.ts'
import type { Json } from './kind.ts'
import { keysOf, orderNameRow, orderRows } from './order-settings.ts'
import { isNamedMap, isRequired, isSection, type Rows, type Setting } from './setting.ts'
import { table } from './table.ts'

/**
 * The schema of coinlake.yaml for editors, in draft-7, because YAML language servers read that. Each
 * dataset has a section with its own keys and granularities, as a map or a list of maps.
 */
export function configJsonSchema(shapes: readonly DatasetShape[]): Json {
  const { properties, ...otherKeywords } = rowSchema(table)
  const keys = [orderNameRow, ...Object.values(orderRows)].map((row) => [row.key, rowSchema(row)])
  const datasets = shapes.map((shape) => [shape.name, datasetSchema(shape)])
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'coinlake.yaml',
    ...otherKeywords,
    properties: {
      ...(properties as Json),
      datasets: {
        description: table.rows.datasets.about,
        type: ['object', 'null'],
        properties: Object.fromEntries(datasets) as Json,
        additionalProperties: false,
      },
    },
    definitions: Object.fromEntries(keys) as Json,
  }
}

function rowSchema(row: Rows[string]): Json {
  if (isNamedMap(row)) {
    const additionalProperties = rowSchema(row.each)
    return { description: row.about, type: ['object', 'null'], additionalProperties }
  }
  if (!isSection(row)) return settingSchema(row)
  const rows = Object.values(row.rows)
  const required = rows.filter(isRequired)
  return {
    description: row.about,
    type: required.length > 0 ? 'object' : ['object', 'null'],
    properties: Object.fromEntries(rows.map((one) => [one.key, rowSchema(one)])) as Json,
    ...(required.length > 0 && { required: required.map(({ key }) => key) }),
    additionalProperties: false,
  }
}

function settingSchema({ about, json, default: fallback, otherwise, examples }: Setting<unknown>) {
  return {
    description: otherwise === undefined ? about : `${about} Default: ${otherwise}.`,
    ...json,
    ...(fallback !== undefined && { default: fallback }),
    ...(examples !== undefined && { examples }),
  }
}

function datasetSchema(shape: DatasetShape): Json {
  const properties = [orderNameRow.key, ...keysOf(shape)].map((key) => [
    key,
    key === 'granularity' ? granularitySchema(shape) : { $ref: `#/definitions/${key}` },
  ])
  return {
    description: shape.description,
    type: ['object', 'array', 'null'],
    properties: Object.fromEntries(properties) as Json,
    additionalProperties: false,
    // By reference, which halves the file. The schema accepts a list in a list; `config check` refuses it.
    items: { $ref: `#/properties/datasets/properties/${shape.name}` },
    minItems: 1,
  }
}

/** The schema of the granularities of a dataset, aliases first. */
function granularitySchema({ granularities }: DatasetShape): Json {
  const aliases = Object.entries(GRANULARITY_ALIASES)
  const taken = aliases.filter(([, stored]) => granularities.includes(stored))
  const word = { enum: [...taken.map(([alias]) => alias), ...granularities] }
  const list = { type: 'array', items: word, minItems: 1 }
  return {
    description: orderRows.granularity.about,
    anyOf: [word, list],
    default: granularities[0],
  }
}
