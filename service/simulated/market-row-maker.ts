import type { DuckDBConnection } from '@duckdb/node-api'
import type { Dataset, RowSelection } from '../../datasets/dataset.ts'
import { quoteName } from '../../datasets/table/ddl.ts'
import { datasetByName, tableByName } from '../../datasets/index.ts'
import type { RowMaker } from './made-rows.ts'
import { createEntityRows, ENTITY_TABLES } from '../market/entity-rows.ts'
import type { Market } from '../market/market.ts'
import { writeBatches } from '../market/write-batches.ts'
import type { WriteRows } from '../market/write-batches.ts'

/**
 * Makes the rows of one coin, exchange or token in one dataset. The owner of rows is the text `dataset entity`.
 *
 * @param connection used by `write` and by nothing else
 */
export function createMarketRowMaker(
  markets: readonly Market[],
  connection: DuckDBConnection,
  write: WriteRows,
): RowMaker {
  const rows = createEntityRows(markets)
  return {
    ownerOf: (selection) => {
      const dataset = ENTITY_TABLES.get(selection.table)
      if (dataset === undefined) return null
      const entity = entityOf(dataset, selection)
      return rows.knows(dataset, entity) ? `${dataset.name} ${entity}` : null
    },
    make: async (owner) => {
      const [name = '', ...words] = owner.split(' ')
      await connection.run('BEGIN')
      try {
        const counts = await writeBatches(
          rows.batches(datasetByName(name)!, words.join(' ')),
          write,
        )
        await connection.run('COMMIT')
        return Object.values(counts).reduce((sum, count) => sum + count, 0)
      } catch (cause) {
        await connection.run('ROLLBACK')
        throw cause
      }
    },
    clear: async () => {
      for (const table of ENTITY_TABLES.keys()) await connection.run(`TRUNCATE ${quoteName(table)}`)
    },
  }
}

/** The entity whose rows a selection reads: the first key column, of a token the first two. */
function entityOf({ entity }: Dataset, { table, equals = {} }: RowSelection): string {
  const columns = tableByName(table)!.key.slice(0, entity === 'token' ? 2 : 1)
  const values = columns.map((name) => equals[name])
  if (values.includes(undefined)) {
    throw new Error(`a selection of ${table} does not fix ${columns.join(' and ')}`)
  }
  return values.join('/')
}
