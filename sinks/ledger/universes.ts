import { ledgerColumn, ledgerTable } from './ledger-table.ts'

export const universesTable = ledgerTable(
  '_universes',
  'Universes: the coins that a selector (top:100, category:layer-1, all) was resolved to, once, when it was first used.',
  ['selector', 'rank'],
  [
    ledgerColumn('selector', 'string', 'The selector as the configuration writes it.'),
    ledgerColumn('rank', 'integer', 'Place in the choice, from 1.'),
    ledgerColumn('coin_id', 'string', 'The chosen coin.', { nullable: false }),
    ledgerColumn('chosen_at', 'timestamp', 'When it was chosen.', { nullable: false }),
  ],
)
