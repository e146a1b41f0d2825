import type { Clock } from '../../config/clock.ts'
import type { Dataset, TableSpec } from '../../datasets/dataset.ts'
import { SinkError } from '../sink-error.ts'
import type { Session, WriteSession } from './session.ts'

export interface StoreContext {
  file: string
  /** Reads the committed state. Never waits for a load. */
  reader: Session
  writer: WriteSession
  tables: ReadonlyMap<string, TableSpec>
  datasets: ReadonlyMap<string, Dataset>
  clock: Clock
  coinlakeVersion: string
}

/** A readable ledger, of an open store or of a published file. */
export interface LedgerContext {
  reader: Pick<Session, 'rows'>
}

/** The dataset of a slice. @throws SinkError STORE_UNKNOWN_DATASET */
export function datasetOf(context: StoreContext, name: string): Dataset {
  return required(context.datasets.get(name), 'dataset', name, context.file)
}

/** The spec of a table. @throws SinkError STORE_UNKNOWN_TABLE */
export function tableOf(context: StoreContext, name: string): TableSpec {
  return required(context.tables.get(name), 'table', name, context.file)
}

function required<T>(value: T | undefined, what: string, name: string, file: string): T {
  if (value !== undefined) return value
  throw new SinkError(`the store ${file} was opened without the ${what} ${JSON.stringify(name)}`, {
    code: `STORE_UNKNOWN_${what.toUpperCase()}`,
    hint: 'Another version of coinlake made this plan. Use that version, or cancel and run again.',
  })
}
