import { ConfigError } from '../../config/config-error.ts'
import { hintFor } from '../../config/values/did-you-mean.ts'
import type { Dataset } from '../../datasets/dataset.ts'
import { datasets } from '../../datasets/index.ts'

/**
 * The dataset with this name, or with a table of this name.
 *
 * @param others other names that the command takes, for the hint
 * @throws ConfigError UNKNOWN_DATASET
 */
export function findDataset(name: string, others: readonly string[] = []): Dataset {
  const found =
    datasets.find((dataset) => dataset.name === name) ??
    datasets.find((dataset) => dataset.tables.some((table) => table.name === name))
  if (found !== undefined) return found
  const names = datasets.flatMap((one) => [one.name, ...one.tables.map((table) => table.name)])
  throw new ConfigError(`there is no dataset ${JSON.stringify(name)}`, {
    code: 'UNKNOWN_DATASET',
    hint: hintFor(
      name,
      [...names, ...others],
      `Datasets: ${datasets.map((dataset) => dataset.name).join(', ')}.`,
    ),
  })
}
