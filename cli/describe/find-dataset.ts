import { ConfigError } from '../../config/config-error.ts'
import { hintFor } from '../../config/values/did-you-mean.ts'
import type { Dataset } from '../../datasets/dataset.ts'
import { datasets } from '../../datasets/index.ts'
import { analystMacros, analystViews } from '../../sinks/views/analyst-views.ts'

/** The dataset with this name, or with a table of this name. @throws ConfigError UNKNOWN_DATASET */
export function findDataset(name: string): Dataset {
  const found =
    datasets.find((dataset) => dataset.name === name) ??
    datasets.find((dataset) => dataset.tables.some((table) => table.name === name))
  if (found !== undefined) return found
  const derived = [...analystViews, ...analystMacros]
  const view = derived.find((one) => one.name === name)
  const names = datasets.flatMap((one) => [one.name, ...one.tables.map((table) => table.name)])
  throw new ConfigError(`there is no dataset ${JSON.stringify(name)}`, {
    code: 'UNKNOWN_DATASET',
    hint:
      view === undefined
        ? hintFor(
            name,
            [...names, ...derived.map((one) => one.name)],
            `Datasets: ${datasets.map((dataset) => dataset.name).join(', ')}.`,
          )
        : `\`${name}\` is made of ${view.needs.map((table) => `\`${table}\``).join(', ')}.`,
  })
}
