import { ledgerColumn, ledgerTable } from './ledger-table.ts'

export const revisionsTable = ledgerTable(
  '_revisions',
  'Revisions: values that were final here and that the source changed later. The table shows the latest, this keeps both.',
  ['table_name', 'key', 'new_load_id'],
  [
    ledgerColumn('table_name', 'string', 'Table of the row.'),
    ledgerColumn('key', 'json', "The row's key as JSON, timestamps in UTC."),
    ledgerColumn('before', 'json', 'All other values as they were first answered.', {
      nullable: false,
    }),
    ledgerColumn('after', 'json', 'All other values as they were answered later.', {
      nullable: false,
    }),
    ledgerColumn('first_seen_at', 'timestamp', 'When the source answered the earlier values.', {
      nullable: false,
    }),
    ledgerColumn('replaced_at', 'timestamp', 'When the source answered the later values.', {
      nullable: false,
    }),
    ledgerColumn('old_load_id', 'integer', 'The load that had written the row.', {
      nullable: false,
    }),
    ledgerColumn('new_load_id', 'integer', 'The load that met the difference.'),
  ],
)
