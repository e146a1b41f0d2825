import { column, required } from '../../datasets/table/column.ts'
import { ledgerTable } from './ledger-table.ts'

export const requestsTable = ledgerTable(
  '_requests',
  'Requests: one row per page that was loaded, and per request that brought no page.',
  ['request_id'],
  [
    column('request_id', 'string', 'Name of the request.'),
    required('run_id', 'string', 'The run that asked.'),
    required('slice_id', 'string', 'The slice it was asked for.'),
    column('step', 'integer', 'Step of the slice, from 0; null when no page came.'),
    column('page', 'integer', 'Page of the step, from 1; null when no page came.'),
    required('operation', 'string', 'Operation of the interface.'),
    required('url', 'string', 'URL that was asked, without secrets.'),
    column('status', 'integer', 'HTTP status; null when no answer came.'),
    column('code', 'string', 'Error code; null for a good page.'),
    column('bytes', 'integer', 'Size of the body.', 'bytes'),
    column('rows', 'integer', 'Rows the page became.'),
    column('items', 'integer', 'Items of the listing on this page.'),
    column('body_sha256', 'string', 'SHA-256 of the body, hex.'),
    required('requested_at', 'timestamp', 'When the request left.'),
    column('duration_ms', 'integer', 'From the request to the end of the answer.', 'ms'),
    required('calls', 'integer', 'Physical requests it cost, retries included.'),
  ],
)
