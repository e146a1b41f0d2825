import type { TableSpec } from '../../datasets/dataset.ts'
import { universesTable, unreachableTable } from './order-tables.ts'
import {
  contentsTable,
  partitionsTable,
  revisionsTable,
  schemaVersionsTable,
} from './row-tables.ts'
import { loadsTable, quarantineTable, requestsTable, runsTable, slicesTable } from './run-tables.ts'

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
