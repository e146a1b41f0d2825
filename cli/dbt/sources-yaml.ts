import { stringify } from 'yaml'
import type { Column } from '../../datasets/dataset.ts'
import { columnComment, duckdbType } from '../../datasets/table/ddl.ts'
import type { DescribedRelation } from './described-relations.ts'

export interface DbtSource {
  /** First word of `source(...)` in models. */
  name: string
  /** Alias under which the profile attaches the file. */
  database: string
}

const HEAD = `# Written by \`coinlake dbt sources\` from the descriptions of coinlake's datasets: write it anew after an
# upgrade, or when more datasets are exported.
`
const DESCRIPTION =
  'Crypto market history, published by coinlake. Read-only; all times are UTC. Start with daily_prices, hourly_prices, latest_prices and latest_markets.'

/**
 * The sources of a dbt project for dbt-core 1.10.5 and newer, whose tests have `arguments`. They have descriptions,
 * types, freshness, and tests: no NULL, unique keys, known granularities.
 */
export function sourcesYaml(
  source: DbtSource,
  relations: readonly DescribedRelation[],
  freshness: ReadonlyMap<string, unknown>,
): string {
  const document = {
    version: 2,
    sources: [
      {
        name: source.name,
        description: DESCRIPTION,
        database: source.database,
        schema: 'main',
        tables: relations.map((one) => tableEntry(one, freshness.get(one.name))),
      },
    ],
  }
  return HEAD + stringify(document, { lineWidth: 100 })
}

function tableEntry(
  { name, description, columns, key, values }: DescribedRelation,
  freshness: unknown,
): unknown {
  return {
    name,
    description,
    ...(freshness !== undefined && { config: freshness }),
    ...(key !== null && { data_tests: [uniqueKey(name, key)] }),
    columns: columns.map((column) => columnEntry(column, values[column.name])),
  }
}

function columnEntry(column: Column, values: readonly string[] | undefined): unknown {
  const tests = [
    ...(column.nullable === false ? ['not_null'] : []),
    ...(values === undefined ? [] : [{ accepted_values: { arguments: { values } } }]),
  ]
  return {
    name: column.name,
    description: columnComment(column),
    data_type: duckdbType(column.type),
    ...(tests.length > 0 && { data_tests: tests }),
  }
}

/** dbt's own `unique` test. Given `row(...)`, it tests several columns without a package. */
function uniqueKey(table: string, key: readonly string[]): unknown {
  const columns = key.map((name) => `"${name}"`).join(', ')
  return {
    unique: {
      name: `${table.replace(/^_/, 'ledger_')}_key_is_unique`,
      arguments: { column_name: key.length === 1 ? columns : `row(${columns})` },
    },
  }
}
