import { column, required } from '../../datasets/table/column.ts'
import { ledgerTable } from './ledger-table.ts'

export const loadsTable = ledgerTable(
  '_loads',
  'Loads: one row per transaction that loaded slices, each with all its rows.',
  ['load_id'],
  [
    column('load_id', 'integer', 'Number of the load, from 1.'),
    required('run_id', 'string', 'The run it belongs to.'),
    required('loaded_at', 'timestamp', 'When it was loaded.'),
    required('slices', 'integer', 'Slices it claimed.'),
    required('rows_inserted', 'integer', 'Rows written as new rows.'),
    required(
      'rows_replaced',
      'integer',
      'Rows removed for newer ones: provisional, or final and changed since.',
    ),
    required('rows_revised', 'integer', 'Final rows whose values changed (see _revisions).'),
    required(
      'rows_duplicate',
      'integer',
      'Rows that were in the table already, or twice in the load.',
    ),
    required('rows_quarantined', 'integer', 'Rows that went to _quarantine.'),
    required('coinlake_version', 'string', 'Version of coinlake that loaded.'),
  ],
)
