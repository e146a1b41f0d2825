import { ledgerColumn, ledgerTable } from './ledger-table.ts'

/** The states of a slice. `staged` exists only inside a load's transaction. */
export type SliceState = 'planned' | 'staged' | 'loaded' | 'provisional' | 'empty' | 'failed'

export const slicesTable = ledgerTable(
  '_slices',
  'Slices: the unit of work, (dataset, entity, currency, granularity, [from, to)), once per run that planned it, with what became of it.',
  ['run_id', 'ordinal'],
  [
    ledgerColumn('run_id', 'string', 'The run that planned the slice; joins to _runs.'),
    ledgerColumn('ordinal', 'integer', "Place in the run's plan, from 0."),
    ledgerColumn('slice_id', 'string', 'Hash of the six parts of the slice.', { nullable: false }),
    ledgerColumn(
      'generation',
      'integer',
      'How many times this slice had ended before. Each generation has pages of its own.',
      { nullable: false },
    ),
    ledgerColumn('dataset', 'string', 'Dataset of the slice.', { nullable: false }),
    ledgerColumn('entity', 'string', 'Coin, exchange or csv of coins; empty when there is none.', {
      nullable: false,
    }),
    ledgerColumn(
      'vs_currency',
      'string',
      'Quote currency or csv of them; empty when there is none.',
      {
        nullable: false,
      },
    ),
    ledgerColumn(
      'granularity',
      'string',
      'Granularity asked for; of a snapshot how often it is taken; empty when there is none.',
      { nullable: false },
    ),
    ledgerColumn('from_at', 'timestamp', 'Start of the slice, inclusive.', { nullable: false }),
    ledgerColumn('to_at', 'timestamp', 'End of the slice, exclusive.', { nullable: false }),
    ledgerColumn(
      'state',
      'string',
      'planned, loaded (all of it final), provisional (its end may still change), empty (the source has nothing) or failed.',
      { nullable: false },
    ),
    ledgerColumn('settled_to', 'timestamp', 'Points before this are final.'),
    ledgerColumn(
      'recheck_at',
      'timestamp',
      'From this time a new request can verify more; null = never.',
    ),
    ledgerColumn(
      'delivered_granularity',
      'string',
      'Granularity measured in the answer; null when it cannot be told.',
    ),
    ledgerColumn('pages', 'integer', 'Pages the answer had.'),
    ledgerColumn('calls', 'integer', 'Physical requests those pages cost.'),
    ledgerColumn('items', 'integer', 'Items of the listing over all pages.'),
    ledgerColumn(
      'told_items',
      'integer',
      'Items that the listing has as the source says, over all its steps; null when the source does not say.',
    ),
    ledgerColumn(
      'moved',
      'integer',
      'Items on more than one page of their listing. The listing moved while it was read, so as many others may be missing.',
    ),
    ledgerColumn('row_count', 'integer', 'Rows of the answer that are in tables, over all tables.'),
    ledgerColumn(
      'gaps',
      'string',
      'Settled stretches for which the source gave no point for more than 24 steps, as from/to with spaces between them; null = none, or no row at all.',
    ),
    ledgerColumn('outside_slice', 'integer', 'Points of the answer outside [from_at, to_at).'),
    ledgerColumn(
      'duplicate',
      'integer',
      'Points or rows that repeat a key inside one load (the one fetched last is kept), and tickers that came twice with the same values (the first place is kept).',
    ),
    ledgerColumn('future', 'integer', 'Candles left out because they were not closed yet.'),
    ledgerColumn('quarantined', 'integer', 'Rows that went to _quarantine.'),
    ledgerColumn('unknown_paths', 'json', 'Unknown JSON paths of the answer with their counts.'),
    ledgerColumn('fetched_at', 'timestamp', 'When the source answered (the oldest page).'),
    ledgerColumn('load_id', 'integer', 'The load that brought it; joins to _loads.'),
    ledgerColumn('code', 'string', 'Stable code of the error that ended it.'),
    ledgerColumn('reason', 'string', 'What went wrong, in words.'),
    ledgerColumn('planned_at', 'timestamp', 'When it was planned.', { nullable: false }),
    ledgerColumn('updated_at', 'timestamp', 'When its state last changed.', { nullable: false }),
  ],
)
