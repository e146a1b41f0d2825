import { column, required } from '../../datasets/table/column.ts'
import { ledgerTable } from './ledger-table.ts'

/**
 * The rows that loads wrote, by slice. Each insert and removal has an entry, so verify finds changes of other programs.
 */
export const contentsTable = ledgerTable(
  '_contents',
  'Contents: how many rows of which table each load wrote for a slice, and how many it removed. `coinlake verify` compares the sum with the rows of the tables.',
  ['table_name', 'slice_id', 'load_id', 'changed_by'],
  [
    column('table_name', 'string', 'The table.'),
    column('slice_id', 'string', 'The slice that brought the rows.'),
    column('load_id', 'integer', 'The load that wrote the rows.'),
    column(
      'changed_by',
      'integer',
      'The load that made this entry: load_id, or a later load that removed rows.',
    ),
    required('row_count', 'integer', 'Rows written; negative for rows removed.'),
    required('fingerprint', 'string', 'Exclusive or of the hashes of these rows.'),
    required(
      'engine',
      'string',
      'Version of DuckDB that made the hash. Only hashes of one version are compared.',
    ),
  ],
)
