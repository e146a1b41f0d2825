import { ledgerColumn, ledgerTable } from './ledger-table.ts'

/** Month of a table that has no months: its one file. */
export const WHOLE_TABLE = 'all'

/** Which load last changed which month: what a publication must write again. */
export const partitionsTable = ledgerTable(
  '_partitions',
  'Partitions: which load last changed which month of a table, so that only those are published again.',
  ['table_name', 'month'],
  [
    ledgerColumn('table_name', 'string', 'The table.'),
    ledgerColumn('month', 'string', `UTC month as YYYY-MM; ${WHOLE_TABLE} for tables without.`),
    ledgerColumn('load_id', 'integer', 'The newest load that changed it.', { nullable: false }),
  ],
)
