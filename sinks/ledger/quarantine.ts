import { ledgerColumn, ledgerTable } from './ledger-table.ts'

export const quarantineTable = ledgerTable(
  '_quarantine',
  'Quarantine: rows of an answer that broke a rule, as the source sent them. The other rows of the answer were loaded.',
  ['quarantine_id'],
  [
    ledgerColumn('quarantine_id', 'string', 'Name of the row.'),
    ledgerColumn('dataset', 'string', 'Dataset of the slice.', { nullable: false }),
    ledgerColumn('slice_id', 'string', 'The slice it came with.', { nullable: false }),
    ledgerColumn('rule', 'string', 'Name of the rule it broke.', { nullable: false }),
    ledgerColumn('path', 'string', 'JSON path in the body.', { nullable: false }),
    ledgerColumn('raw', 'json', 'The value or row as JSON.', { nullable: false }),
    ledgerColumn('url', 'string', 'URL that was asked, without secrets.', { nullable: false }),
    ledgerColumn('fetched_at', 'timestamp', 'When the source answered.', { nullable: false }),
    ledgerColumn('load_id', 'integer', 'The load that quarantined it.', { nullable: false }),
    ledgerColumn(
      'ended_at',
      'timestamp',
      'When it was replayed, dropped or fetched again; null while it is open.',
    ),
    ledgerColumn(
      'ended_as',
      'string',
      'replayed (it passes now and is in its table), dropped, or refetched (a newer answer of the same stretch is loaded).',
    ),
  ],
)
