import { ledgerColumn, ledgerTable } from './ledger-table.ts'

/** The `month` of a table without months, which is one file. */
export const WHOLE_TABLE = 'all'

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
