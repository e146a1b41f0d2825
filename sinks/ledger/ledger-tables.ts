import { contentsTable } from './contents.ts'
import type { TableSpec } from '../../datasets/dataset.ts'
import { loadsTable } from './loads.ts'
import { partitionsTable } from './partitions.ts'
import { quarantineTable } from './quarantine.ts'
import { requestsTable } from './requests.ts'
import { revisionsTable } from './revisions.ts'
import { runsTable } from './runs.ts'
import { schemaVersionsTable } from './schema-versions.ts'
import { slicesTable } from './slices.ts'
import { universesTable } from './universes.ts'
import { unreachableTable } from './unreachable.ts'

/** All tables of the ledger, in the order of their documentation. */
export const ledgerTables: readonly TableSpec[] = [
  runsTable,
  slicesTable,
  loadsTable,
  requestsTable,
  quarantineTable,
  revisionsTable,
  universesTable,
  unreachableTable,
  partitionsTable,
  contentsTable,
  schemaVersionsTable,
]
