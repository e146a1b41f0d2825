import { column, required } from '../../datasets/table/column.ts'
import { ledgerTable } from './ledger-table.ts'

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
      'Settled stretches for which the source gave no point for more than 24 steps, as from/to with spaces between them; null = none, or no row at all.',
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
