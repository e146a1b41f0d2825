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
