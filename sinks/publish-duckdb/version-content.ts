import type { TableSpec } from '../../datasets/dataset.ts'
import type { LedgerRelation } from '../publish/ledger-relation.ts'
import type { StoreMark } from '../publish/store-mark.ts'
import type { AnalystView } from '../views/analyst-view.ts'
import type { AnalystMacro } from '../views/versions.ts'

/** What goes into a published file. */
export interface VersionContent {
  tables: readonly TableSpec[]
  ledgerTables: readonly LedgerRelation[]
  views: readonly AnalystView[]
  macros: readonly AnalystMacro[]
  published: {
    runId: string
    publishedAtMs: number
    coinlakeVersion: string
    schemaVersion: number
  }
}

/** What a file holds once it is written. */
export interface WrittenVersion {
  /** The moment of the store that it shows. */
  mark: StoreMark
  /** Rows of data, the ledger left out. */
  rows: number
  /** The newest load of the moment when all rows were sorted; later ones stand behind them. */
  sortedLoadId: number
  /** Rows that a query passes over for what came or went since then. */
  unsortedRows: number
}
