import type { TableSpec } from '../../../datasets/dataset.ts'
import { quoteText } from '../../../datasets/table/ddl.ts'
import { contentsTable } from '../../ledger/row-tables.ts'
import { rowFingerprint } from '../../ledger/row-fingerprint.ts'

/**
 * The INSERT that notes in `_contents` the rows that a load writes or removes.
 *
 * @param from `FROM ... WHERE ...` of the rows, with the stored columns of the table under the alias `t`
 * @param changedBy SQL of the load that makes the entry
 */
export function noteContentsSql(
  table: TableSpec,
  from: string,
  { changedBy, isRemoved = false }: { changedBy: string | number; isRemoved?: boolean },
): string {
  return `INSERT INTO ${contentsTable.name}
    (table_name, slice_id, load_id, changed_by, row_count, fingerprint, engine)
  SELECT ${quoteText(table.name)}, t.slice_id, t.load_id, ${changedBy},
    ${isRemoved ? '-' : ''}count(*), bit_xor(${rowFingerprint(table)})::VARCHAR, version()
  ${from} GROUP BY ALL`
}
