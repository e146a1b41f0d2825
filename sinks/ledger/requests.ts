import { ledgerColumn, ledgerTable } from './ledger-table.ts'

export const requestsTable = ledgerTable(
  '_requests',
  'Requests: one row per page that was loaded, and per request that brought no page.',
  ['request_id'],
  [
    ledgerColumn('request_id', 'string', 'Name of the request.'),
    ledgerColumn('run_id', 'string', 'The run that asked.', { nullable: false }),
    ledgerColumn('slice_id', 'string', 'The slice it was asked for.', { nullable: false }),
    ledgerColumn('step', 'integer', 'Step of the slice, from 0; null when no page came.'),
    ledgerColumn('page', 'integer', 'Page of the step, from 1; null when no page came.'),
    ledgerColumn('operation', 'string', 'Operation of the interface.', { nullable: false }),
    ledgerColumn('url', 'string', 'URL that was asked, without secrets.', { nullable: false }),
    ledgerColumn('status', 'integer', 'HTTP status; null when no answer came.'),
    ledgerColumn('code', 'string', 'Error code; null for a good page.'),
    ledgerColumn('bytes', 'integer', 'Size of the body.', { unit: 'bytes' }),
    ledgerColumn('rows', 'integer', 'Rows the page became.'),
    ledgerColumn('items', 'integer', 'Items of the listing on this page.'),
    ledgerColumn('body_sha256', 'string', 'SHA-256 of the body, hex.'),
    ledgerColumn('requested_at', 'timestamp', 'When the request left.', { nullable: false }),
    ledgerColumn('duration_ms', 'integer', 'From the request to the end of the answer.', {
      unit: 'ms',
    }),
    ledgerColumn('calls', 'integer', 'Physical requests it cost, retries included.', {
      nullable: false,
    }),
  ],
)
