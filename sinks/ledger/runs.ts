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
      'The scheduled time of the run. Histories end there, however late the run began.',
    ),
    column(
      'verdict',
      'string',
      'How the run ended: complete, partial, failed or cancelled; null while it is open.',
    ),
    column(
      'selectors',
      'json',
      'Selectors (top:100) whose coins the run asked for, as a JSON list; null when its coins were named.',
    ),
    required('started_at', 'timestamp', 'When the plan was written.'),
    column('finished_at', 'timestamp', 'When the run ended; null while it is open.'),
    required('coinlake_version', 'string', 'Version of coinlake that planned the run.'),
  ],
)
