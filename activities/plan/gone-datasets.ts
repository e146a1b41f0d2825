import { ConfigError } from '../../config/config-error.ts'
import type { Slice } from '../../datasets/dataset.ts'
import { datasetByName } from '../../datasets/index.ts'
import type { Order, WantedDataset } from '../../plan/order.ts'

/** Whether this coinlake has the dataset: an order may be older than it, or from a newer one. */
export function isKnown({ dataset }: Pick<WantedDataset, 'dataset'>): boolean {
  return datasetByName(dataset) !== undefined
}

/**
 * A slice for each dataset of an order that there is no more. It is planned like any other, and fails
 * when it is to be fetched: so the run is partial, its ledger and its report name it, and the other
 * datasets of the order come in as ever.
 */
export function goneSlices({ wanted, asOfMs }: Order, nowMs: number): Slice[] {
  return wanted
    .filter((one) => !isKnown(one))
    .map(({ dataset, granularity, fromMs, toMs, everyMs }) => {
      const untilMs = toMs ?? asOfMs ?? nowMs
      return {
        dataset,
        entity: '',
        vsCurrency: '',
        granularity,
        fromMs: everyMs === 0 ? Math.min(fromMs, untilMs) : untilMs,
        toMs: untilMs + everyMs,
      }
    })
}

/** What such a slice fails with. */
export function goneDataset(name: string): ConfigError {
  return new ConfigError(`the order asks for ${name}, which is no dataset of this coinlake`, {
    code: 'DATASET_GONE',
    hint: 'Take it out of coinlake.yaml and run `coinlake schedule apply`, or start the worker with the coinlake that has it.',
  })
}
