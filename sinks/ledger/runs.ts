import { ledgerColumn, ledgerTable } from './ledger-table.ts'

/** One row per run of an export. */
export const runsTable = ledgerTable(
  '_runs',
  'Runs: one row per execution of an export.',
  ['run_id'],
  [
    ledgerColumn('run_id', 'string', 'Name of the run.'),
    ledgerColumn('order_id', 'string', 'Hash of what was asked for; equal orders share it.', {
      nullable: false,
    }),
    ledgerColumn(
      'purpose',
      'string',
      'refetch: asked again on purpose for what was there; restore: made again without a call; null: what was missing.',
    ),
    ledgerColumn(
      'schedule',
      'string',
      'The schedule whose window it is; null: it was begun by hand.',
    ),
    ledgerColumn(
      'window_at',
      'timestamp',
      'The scheduled time it is for: histories end there, however late it began.',
    ),
    ledgerColumn(
      'verdict',
      'string',
      'How the run ended: complete, partial, failed or cancelled; null while it is open.',
    ),
    ledgerColumn(
      'selectors',
      'json',
      'Selectors (top:100) whose coins it asked for, as a JSON list; null when it named its coins.',
    ),
    ledgerColumn('started_at', 'timestamp', 'When the plan was written.', { nullable: false }),
    ledgerColumn('finished_at', 'timestamp', 'When the run ended; null while it is open.'),
    ledgerColumn('coinlake_version', 'string', 'Version of coinlake that planned the run.', {
      nullable: false,
    }),
  ],
)
