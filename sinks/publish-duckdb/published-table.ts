import { column } from '../../datasets/table/column.ts'
import { ledgerTable } from '../ledger/ledger-table.ts'

export const publishedTable = ledgerTable(
  '_published',
  'What this file is: one row, written when the file was published.',
  [],
  [
    column('run_id', 'string', 'The run that published this file.'),
    column('published_at', 'timestamp', 'When it was published. Reconnect to see a newer file.'),
    column('coinlake_version', 'string', 'Version of coinlake.'),
    column('schema_version', 'integer', 'Version of the tables; it only grows.'),
    column('load_id', 'integer', 'The newest load whose rows are in this file.'),
  ],
)
