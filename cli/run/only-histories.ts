import { datasets } from '../../datasets/index.ts'
import type { WantedDataset } from '../../plan/order.ts'

/** Kinds whose past can be asked for again; a snapshot or a catalogue is only what is now. */
const HISTORIES: readonly string[] = ['range', 'trailing', 'dated']

/** The wanted datasets that hold a history. */
export function onlyHistories(wanted: readonly WantedDataset[]): WantedDataset[] {
  const kindOf = new Map(datasets.map(({ name, kind }) => [name, kind]))
  return wanted.filter(({ dataset }) => HISTORIES.includes(kindOf.get(dataset) ?? ''))
}
