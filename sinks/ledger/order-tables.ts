import { column, required } from '../../datasets/table/column.ts'
import { ledgerTable } from './ledger-table.ts'

export const universesTable = ledgerTable(
  '_universes',
  'Universes: the coins that a selector (top:100, category:layer-1, all) was resolved to, once, when it was first used.',
  ['selector', 'rank'],
  [
    column('selector', 'string', 'The selector as the configuration writes it.'),
    column('rank', 'integer', 'Place in the choice, from 1.'),
    required('coin_id', 'string', 'The chosen coin.'),
    required('chosen_at', 'timestamp', 'When it was chosen.'),
  ],
)

/** Requested history that cannot be had, as the newest run of the series found. */
export const unreachableTable = ledgerTable(
  '_unreachable',
  'Stretches that were asked for and cannot be had. Each run replaces those of its series at its end.',
  ['dataset', 'entity', 'vs_currency', 'granularity', 'from_at', 'reason'],
  [
    column('dataset', 'string', 'Dataset of the series.'),
    column('entity', 'string', 'Coin, exchange or token; empty when there is none.'),
    column('vs_currency', 'string', 'Quote currency; empty when there is none.'),
    column('granularity', 'string', 'Granularity; empty when there is none.'),
    column('from_at', 'timestamp', 'Start of the interval, inclusive.'),
    required('to_at', 'timestamp', 'End of the interval, exclusive.'),
    column(
      'reason',
      'string',
      "source_reach (the source does not answer that far back), plan_limit (the key's plan does not reach that far back) or unknown_at_source (the source does not know the id).",
    ),
    required('noted_at', 'timestamp', 'When it was found.'),
  ],
)
