import type { DuckDBConnection } from '@duckdb/node-api'
import type { TableSpec } from '../../../datasets/dataset.ts'
import { quoteName } from '../../../datasets/table/ddl.ts'

/** Rows of a table that two stores do not have alike, by the slice that brought them. */
export interface Loss {
  table: string
  sliceId: string
  /** Only in the undisturbed store. */
  missing: number
  /** In both, with another value. */
  changed: number
  /** In both, the disturbed one with NULL in place of a value and no other difference. */
  nulled: number
  /** Only in the disturbed store. */
  extra: number
}

/** Columns that only say how the others were sent. */
const TECHNICAL = ['_absent', '_extra']

/**
 * Holds two stores of one market against each other, row by row. Slices have the same id in both, so
 * that each difference has a slice that must answer for it.
 *
 * @param calm name of the attached undisturbed store
 * @param disturbed name of the other one
 */
export async function lossesOf(
  connection: DuckDBConnection,
  tables: readonly TableSpec[],
  calm: string,
  disturbed: string,
): Promise<Loss[]> {
  const losses: Loss[] = []
  for (const { name, key, columns } of tables) {
    const on = key.map((one) => `c.${quoteName(one)} = d.${quoteName(one)}`).join(' AND ')
    const values = columns.filter((one) => !key.includes(one.name) && !TECHNICAL.includes(one.name))
    const anyOf = (state: string): string => {
      const tests = values.map(({ name: value }) => {
        const [c, d] = [`c.${quoteName(value)}`, `d.${quoteName(value)}`]
        return `(${c} IS DISTINCT FROM ${d} AND ${d} IS ${state})`
      })
      return `(${['false', ...tests].join(' OR ')})`
    }
    const reader = await connection.runAndReadAll(
      `SELECT coalesce(c.slice_id, d.slice_id) AS "sliceId",
         count(*) FILTER (d.slice_id IS NULL)::DOUBLE AS missing,
         count(*) FILTER (c.slice_id = d.slice_id AND ${anyOf('NOT NULL')})::DOUBLE AS changed,
         count(*) FILTER (c.slice_id = d.slice_id AND ${anyOf('NULL')} AND NOT ${anyOf('NOT NULL')})::DOUBLE AS nulled,
         count(*) FILTER (c.slice_id IS NULL)::DOUBLE AS extra
       FROM ${calm}.${quoteName(name)} c FULL JOIN ${disturbed}.${quoteName(name)} d ON ${on}
       GROUP BY ALL HAVING missing + changed + nulled + extra > 0 ORDER BY ALL`,
    )
    for (const row of reader.getRowObjectsJS()) losses.push({ table: name, ...row } as Loss)
  }
  return losses
}
