import { quoteName } from '../../datasets/table/ddl.ts'

/**
 * The SELECT of one text that tells the past of a part of the ledger which only grows: equal texts of one
 * version of DuckDB mean equal rows up to that load.
 *
 * @param row SQL of all that counts of a row; the relation is `t`
 * @param grownBy the column that says by which load a row came
 */
export function pastSql(
  relation: string,
  { row, grownBy, where = 'true' }: { row: string; grownBy: string; where?: string },
  loadId: number,
): string {
  return `SELECT count(*) || ' ' || coalesce(bit_xor(hash(${row})), 0) AS past
    FROM ${relation} t WHERE (${where}) AND ${quoteName(grownBy)} <= ${loadId}`
}
