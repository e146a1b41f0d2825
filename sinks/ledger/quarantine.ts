import { column, required } from '../../datasets/table/column.ts'
import { ledgerTable } from './ledger-table.ts'

export const quarantineTable = ledgerTable(
  '_quarantine',
  'Quarantine: rows of an answer that broke a rule, as the source sent them. The other rows of the answer were loaded.',
  ['quarantine_id'],
  [
    column('quarantine_id', 'string', 'Name of the row.'),
    required('dataset', 'string', 'Dataset of the slice.'),
    required('slice_id', 'string', 'The slice it came with.'),
    required('rule', 'string', 'Name of the rule it broke.'),
    required('path', 'string', 'JSON path in the body.'),
    required('raw', 'json', 'The value or row as JSON.'),
    required('url', 'string', 'URL that was asked, without secrets.'),
    required('fetched_at', 'timestamp', 'When the source answered.'),
    required('load_id', 'integer', 'The load that quarantined it.'),
    column(
      'ended_at',
      'timestamp',
      'When it was replayed, dropped or fetched again; null while it is open.',
    ),
    column(
      'ended_as',
      'string',
      'replayed (it passes now and is in its table), dropped, or refetched (a newer answer of the same stretch is loaded).',
    ),
  ],
)
