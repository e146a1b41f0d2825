import { ConfigError } from '../../config/config-error.ts'
import type { Slice } from '../../datasets/dataset.ts'
import { datasetByName } from '../../datasets/index.ts'
import type { Order, WantedDataset } from '../../plan/order.ts'

/** Whether this coinlake has the dataset. Another version may have written the order. */
export function isKnownDataset({ dataset }: Pick<WantedDataset, 'dataset'>): boolean {
  return datasetByName(dataset) !== undefined
}

/**
 * One slice for each removed dataset of an order. The slice fails in its fetch. So ledger and report name the dataset,
 * the run is partial, and the other datasets are loaded.
 */
export function slicesOfRemovedDatasets({ wanted, asOfMs }: Order, nowMs: number): Slice[] {
  return wanted
    .filter((one) => !isKnownDataset(one))
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

export function removedDatasetError(name: string): ConfigError {
  return new ConfigError(`the order asks for ${name}, which is no dataset of this coinlake`, {
    code: 'DATASET_GONE',
    hint: 'Take it out of coinlake.yaml and run `coinlake schedule apply`, or start the worker with the coinlake that has it.',
  })
}
