import { column, required } from '../../datasets/table/column.ts'
import { ledgerTable } from './ledger-table.ts'

export const runsTable = ledgerTable(
  '_runs',
  'Runs: one row per execution of an export.',
  ['run_id'],
  [
    column('run_id', 'string', 'Name of the run.'),
    required('order_id', 'string', 'Hash of what was asked for; equal orders share it.'),
    column(
      'purpose',
      'string',
      'refetch (fetched again what was there), restore (made rows again from kept answers) or null (fetched what was missing).',
    ),
    column('schedule', 'string', 'The schedule that began the run; null = begun by hand.'),
    column(
      'window_at',
      'timestamp',
      'The scheduled time of the run; of a window that waited for a worker, the newest due time. Histories end there.',
    ),
    column(
      'verdict',
      'string',
      'How the run ended: complete, partial, failed or cancelled; null while it is open.',
    ),
    column(
      'left_to_others',
      'integer',
      'Wanted slices that the plan left to other open runs, which fetch them; null = none.',
    ),
    required('started_at', 'timestamp', 'When the plan was written.'),
    column(
      'finished_at',
      'timestamp',
      'When the run ended, before its publication; null while it is open, and when nobody saw its end.',
    ),
    required('coinlake_version', 'string', 'Version of coinlake that planned the run.'),
  ],
)

/** `staged` exists only inside a load's transaction. */
export type SliceState = 'planned' | 'staged' | 'loaded' | 'provisional' | 'empty' | 'failed'

export const slicesTable = ledgerTable(
  '_slices',
  'Slices: the unit of work, (dataset, entity, currency, granularity, [from, to)), once per run that planned it, with what became of it.',
  ['run_id', 'ordinal'],
  [
    column('run_id', 'string', 'The run that planned the slice; joins to _runs.'),
    column('ordinal', 'integer', "Place in the run's plan, from 0."),
    required('slice_id', 'string', 'Hash of the six parts of the slice.'),
    required(
      'generation',
      'integer',
      'How many times this slice had ended before. Each generation has pages of its own.',
    ),
    required('dataset', 'string', 'Dataset of the slice.'),
    required('entity', 'string', 'Coin, exchange or csv of coins; empty when there is none.'),
    required('vs_currency', 'string', 'Quote currency or csv of them; empty when there is none.'),
    required(
      'granularity',
      'string',
      'Granularity asked for; of a snapshot how often it is taken; empty when there is none.',
    ),
    required('from_at', 'timestamp', 'Start of the slice, inclusive.'),
    required('to_at', 'timestamp', 'End of the slice, exclusive.'),
    required(
      'state',
      'string',
      'planned, loaded (all of it final), provisional (its end may still change), empty (the source has nothing) or failed.',
    ),
    column('settled_to', 'timestamp', 'Points before this are final.'),
    column(
      'recheck_at',
      'timestamp',
      'From this time a new request can verify more; null = never.',
    ),
    column(
      'delivered_granularity',
      'string',
      'Granularity measured in the answer; null when it cannot be told.',
    ),
    column('pages', 'integer', 'Pages the answer had.'),
    column('calls', 'integer', 'Physical requests those pages cost.'),
    column('items', 'integer', 'Items of the listing over all pages.'),
    column(
      'told_items',
      'integer',
      'Items that the listing has as the source says, over all its steps; null when the source does not say.',
    ),
    column(
      'moved',
      'integer',
      'Items on more than one page of their listing. The listing moved while it was read, so as many others may be missing.',
    ),
    column('row_count', 'integer', 'Rows of the answer that are in tables, over all tables.'),
    column(
      'gaps',
      'string',
      'Settled stretches for which the source gave no point for more than 24 steps, or that it let go of before it was asked, as from/to with spaces between them; null = none, or no row at all.',
    ),
    column('outside_slice', 'integer', 'Points of the answer outside [from_at, to_at).'),
    column(
      'duplicate',
      'integer',
      'Points or rows that repeat a key inside one load (the one fetched last is kept), and tickers that came twice with the same values (the first place is kept).',
    ),
    column('future', 'integer', 'Candles left out because they were not closed yet.'),
    column('quarantined', 'integer', 'Rows that went to _quarantine.'),
    column('unknown_paths', 'json', 'Unknown JSON paths of the answer with their counts.'),
    column('fetched_at', 'timestamp', 'When the source answered (the oldest page).'),
    column('load_id', 'integer', 'The load that brought it; joins to _loads.'),
    column('code', 'string', 'Stable code of the error that ended it.'),
    column('reason', 'string', 'What went wrong, in words.'),
    required('planned_at', 'timestamp', 'When it was planned.'),
    required('updated_at', 'timestamp', 'When its state last changed.'),
  ],
)

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
    required('raw', 'json', 'The value or row as JSON, numbers as doubles.'),
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
