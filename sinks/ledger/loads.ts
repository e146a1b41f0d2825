import { ledgerColumn, ledgerTable } from './ledger-table.ts'

export const loadsTable = ledgerTable(
  '_loads',
  'Loads: one row per transaction that loaded slices, each with all its rows.',
  ['load_id'],
  [
    ledgerColumn('load_id', 'integer', 'Number of the load, from 1.'),
    ledgerColumn('run_id', 'string', 'The run it belongs to.', { nullable: false }),
    ledgerColumn('loaded_at', 'timestamp', 'When it was loaded.', { nullable: false }),
    ledgerColumn('slices', 'integer', 'Slices it claimed.', { nullable: false }),
    ledgerColumn('rows_inserted', 'integer', 'Rows written as new rows.', { nullable: false }),
    ledgerColumn(
      'rows_replaced',
      'integer',
      'Rows removed for newer ones: provisional, or final and changed since.',
      { nullable: false },
    ),
    ledgerColumn('rows_revised', 'integer', 'Final rows whose values changed (see _revisions).', {
      nullable: false,
    }),
    ledgerColumn(
      'rows_duplicate',
      'integer',
      'Rows that were in the table already, or twice in the load.',
      {
        nullable: false,
      },
    ),
    ledgerColumn('rows_quarantined', 'integer', 'Rows that went to _quarantine.', {
      nullable: false,
    }),
    ledgerColumn('coinlake_version', 'string', 'Version of coinlake that loaded.', {
      nullable: false,
    }),
  ],
)
