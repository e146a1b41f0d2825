import { ledgerColumn, ledgerTable } from './ledger-table.ts'

/**
 * The rows that loads wrote, by slice: rows only come and go together with a row of this table, so that rows lost or
 * changed by another program can be named.
 */
export const contentsTable = ledgerTable(
  '_contents',
  'Contents: how many rows of which table each load wrote for a slice, and how many it removed. Their sum is what must be there; `coinlake verify` holds it against the tables.',
  ['table_name', 'slice_id', 'load_id', 'changed_by'],
  [
    ledgerColumn('table_name', 'string', 'The table.'),
    ledgerColumn('slice_id', 'string', 'The slice that brought the rows.'),
    ledgerColumn('load_id', 'integer', 'The load that wrote the rows.'),
    ledgerColumn(
      'changed_by',
      'integer',
      'The load that made this entry: the same, or a later one that removed rows.',
    ),
    ledgerColumn('row_count', 'integer', 'Rows written; negative for rows removed.', {
      nullable: false,
    }),
    ledgerColumn('fingerprint', 'string', 'Exclusive or of the hashes of these rows.', {
      nullable: false,
    }),
    ledgerColumn(
      'engine',
      'string',
      'Version of DuckDB that hashed: only its own hashes are compared.',
      {
        nullable: false,
      },
    ),
  ],
)
