import type { Clock } from '../../config/clock.ts'
import type { Dataset } from '../../datasets/dataset.ts'
import { SinkError } from '../sink-error.ts'
import type { Session, WriteSession } from './session.ts'

export interface StoreContext {
  file: string
  /** Reads the committed state. Never waits for a load. */
  reader: Session
  writer: WriteSession
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
  return requireKnown(context.datasets.get(name), 'dataset', name, context)
}

/** @throws SinkError STORE_UNKNOWN_DATASET, STORE_UNKNOWN_TABLE for a missing value */
export function requireKnown<T>(
  value: T | undefined,
  what: 'dataset' | 'table',
  name: string,
  { file }: StoreContext,
): T {
  if (value !== undefined) return value
  throw new SinkError(`the store ${file} was opened without the ${what} ${JSON.stringify(name)}`, {
    code: `STORE_UNKNOWN_${what.toUpperCase()}`,
    hint: 'Another version of coinlake made this plan. Use that version, or cancel and run again.',
  })
}
