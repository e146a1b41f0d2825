import { column, required } from '../../datasets/table/column.ts'
import { ledgerTable } from './ledger-table.ts'

/** The version of the layout. Raised when an older coinlake can no longer use the store. */
export const SCHEMA_VERSION = 1

/** The table that marks a DuckDB file as a coinlake store. */
export const schemaVersionsTable = ledgerTable(
  '_schema_versions',
  'Schema versions: every change to the layout of this store. The highest version counts.',
  ['changed_at', 'change'],
  [
    required('version', 'integer', 'Version of the layout after the change.'),
    column('changed_at', 'timestamp', 'When it was made.'),
    column('change', 'string', 'What was made: a table, a column, or the store itself.'),
    required('coinlake_version', 'string', 'Version of coinlake that made it.'),
  ],
)
