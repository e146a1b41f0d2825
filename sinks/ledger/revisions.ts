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
    required('after', 'json', 'All other values as they were answered later.'),
    required('first_seen_at', 'timestamp', 'When the source answered the earlier values.'),
    required('replaced_at', 'timestamp', 'When the source answered the later values.'),
    required('old_load_id', 'integer', 'The load that had written the row.'),
    column('new_load_id', 'integer', 'The load that met the difference.'),
  ],
)
