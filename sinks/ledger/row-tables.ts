import { column, required } from '../../datasets/table/column.ts'
import { ledgerTable } from './ledger-table.ts'

export const revisionsTable = ledgerTable(
  '_revisions',
  'Revisions: values that were final here and that the source changed later. The table shows the latest, this keeps both.',
  ['table_name', 'key', 'new_load_id'],
  [
    column('table_name', 'string', 'Table of the row.'),
    column('key', 'json', "The row's key as JSON, timestamps in UTC."),
    required('before', 'json', 'All other values as they were first answered.'),
    required(
      'after',
      'json',
      'All other values as they were answered later, with the new key of a point that got another time.',
    ),
    required('first_seen_at', 'timestamp', 'When the source answered the earlier values.'),
    required('replaced_at', 'timestamp', 'When the source answered the later values.'),
    required('old_load_id', 'integer', 'The load that had written the row.'),
    column('new_load_id', 'integer', 'The load that met the difference.'),
  ],
)

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
    column(
      'change',
      'string',
      'What was changed: a table, a column, a comment, a view or old rows.',
    ),
    required('coinlake_version', 'string', 'Version of coinlake that made it.'),
  ],
)
