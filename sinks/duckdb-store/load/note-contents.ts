import type { TableSpec } from '../../../datasets/dataset.ts'
import { quoteText } from '../../../datasets/table/ddl.ts'
import { contentsTable } from '../../ledger/row-tables.ts'
import { rowFingerprint } from '../../ledger/row-fingerprint.ts'

/**
 * The INSERT that notes in `_contents` the rows that a load writes or removes.
 *
 * @param from `FROM ... WHERE ...` of the rows, with the table's columns under the alias `row`
 * @param lineage SQL of changed_by, and of slice_id and load_id if they are no columns of `row`
 */
export function noteContentsSql(
  table: TableSpec,
  from: string,
  lineage: {
    changedBy: string
    isRemoved?: boolean
    row?: string
    sliceId?: string
    loadId?: string
  },
): string {
  const { changedBy, isRemoved = false, row = 't' } = lineage
  const { sliceId = `${row}.slice_id`, loadId = `${row}.load_id` } = lineage
  return `INSERT INTO ${contentsTable.name}
    (table_name, slice_id, load_id, changed_by, row_count, fingerprint, engine)
  SELECT ${quoteText(table.name)}, ${sliceId}, ${loadId}, ${changedBy},
    ${isRemoved ? '-' : ''}count(*), bit_xor(${rowFingerprint(table, row)})::VARCHAR, version()
  ${from} GROUP BY ALL`
}
