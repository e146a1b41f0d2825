import type { Config, DatasetConfig } from '../../config/config.ts'
import type { Dataset } from '../../datasets/dataset.ts'
import { datasetByName } from '../../datasets/index.ts'
import type { Order, TopSelector, WantedDataset } from '../../plan/order.ts'

/** What the configuration asks for, in the words of the plan. Every dataset of the config is wanted. */
export function orderFromConfig(config: Config): Order {
  return {
    wanted: Object.values(config.datasets).map((wanted) =>
      wantedOf(wanted, datasetByName(wanted.name)),
    ),
  }
}

function wantedOf(config: DatasetConfig, dataset: Dataset): WantedDataset {
  const hasRange = dataset.kind !== 'snapshot' && dataset.kind !== 'catalogue'
  return {
    dataset: config.name,
    entities: entitiesOf(config, dataset),
    vsCurrencies: config.vsCurrencies.length > 0 ? config.vsCurrencies : [''],
    granularity: config.granularity,
    fromMs: hasRange ? (config.fromMs ?? 0) : 0,
    toMs: hasRange ? config.toMs : null,
    everyMs: hasRange ? 0 : config.everyMs,
  }
}

function entitiesOf(config: DatasetConfig, dataset: Dataset): readonly string[] | TopSelector {
  if (dataset.entity === 'exchange') return config.exchanges ?? []
  if (config.coins === null) return ['']
  return 'top' in config.coins ? { top: config.coins.top } : config.coins.ids
}
