import type { LedgerRelation } from '../publish/ledger-relation.ts'

/** The one-row table by which a reader can tell what it sees. */
export const publishedTable: LedgerRelation = {
  name: '_published',
  description: 'What this file is: one row, written when the file was published.',
  columns: [
    {
      name: 'run_id',
      type: 'string',
      unit: null,
      description: 'The run that published this file.',
    },
    {
      name: 'published_at',
      type: 'timestamp',
      unit: 'UTC',
      description: 'When it was published. Reconnect to see a newer file.',
    },
    { name: 'coinlake_version', type: 'string', unit: null, description: 'Version of coinlake.' },
    {
      name: 'schema_version',
      type: 'integer',
      unit: null,
      description: 'Version of the tables; it only grows.',
    },
    {
      name: 'load_id',
      type: 'integer',
      unit: null,
      description: 'The newest load whose rows are in this file.',
    },
  ],
}
