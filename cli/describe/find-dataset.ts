import { ConfigError } from '../../config/config-error.ts'
import { didYouMean } from '../../config/values/did-you-mean.ts'
import type { Dataset } from '../../datasets/dataset.ts'

/**
 * The dataset of a name, or the one that fills the table of that name.
 *
 * @throws ConfigError UNKNOWN_DATASET
 */
export function findDataset(name: string, datasets: readonly Dataset[]): Dataset {
  const found =
    datasets.find((dataset) => dataset.name === name) ??
    datasets.find((dataset) => dataset.tables.some((table) => table.name === name))
  if (found !== undefined) return found
  const names = datasets.flatMap((one) => [one.name, ...one.tables.map((table) => table.name)])
  const meant = didYouMean(name, names)
  throw new ConfigError(`there is no dataset ${JSON.stringify(name)}`, {
    code: 'UNKNOWN_DATASET',
    hint:
      meant === null
        ? `Datasets: ${datasets.map((dataset) => dataset.name).join(', ')}.`
        : `Did you mean \`${meant}\`?`,
  })
}
