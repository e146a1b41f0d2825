import { ledgerColumn, ledgerTable } from './ledger-table.ts'

/**
 * The layout of the store, raised when an older coinlake could not use a store that a newer one
 * wrote. New tables and new nullable columns do not count: both sides can live with those.
 */
export const SCHEMA_VERSION = 1

/** The table that marks a DuckDB file as a coinlake store. */
export const schemaVersionsTable = ledgerTable(
  '_schema_versions',
  'Schema versions: every change to the layout of this store. The highest version counts.',
  ['changed_at', 'change'],
  [
    ledgerColumn('version', 'integer', 'Version of the layout after the change.', {
      nullable: false,
    }),
    ledgerColumn('changed_at', 'timestamp', 'When it was made.'),
    ledgerColumn('change', 'string', 'What was made: a table, a column, or the store itself.'),
    ledgerColumn('coinlake_version', 'string', 'Version of coinlake that made it.', {
      nullable: false,
    }),
  ],
)
