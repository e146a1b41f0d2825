import { column, required } from '../../datasets/table/column.ts'
import { ledgerTable } from './ledger-table.ts'

/** The `month` of a table without months, which is one file. */
export const WHOLE_TABLE = 'all'

export const partitionsTable = ledgerTable(
  '_partitions',
  'Partitions: which load last changed which month of a table, so that only those are published again.',
  ['table_name', 'month'],
  [
    column('table_name', 'string', 'The table.'),
    column('month', 'string', `UTC month as YYYY-MM; ${WHOLE_TABLE} for tables without.`),
    required('load_id', 'integer', 'The newest load that changed it.'),
  ],
)
