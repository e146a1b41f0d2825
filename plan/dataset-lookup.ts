import type { Dataset } from '../datasets/dataset.ts'

/** Finds datasets by name. The returned function throws a RangeError for an unknown name. */
export function datasetLookup(datasets: readonly Dataset[]): (name: string) => Dataset {
  const byName = new Map(datasets.map((dataset) => [dataset.name, dataset]))
  return (name) => {
    const dataset = byName.get(name)
    if (dataset === undefined) throw new RangeError(`no such dataset: ${name}`)
    return dataset
  }
}
