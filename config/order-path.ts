import type { ConfigPath, YamlSource } from './yaml-source.ts'

/** Where an order stands in the file: a dataset has one map, or a list of them. */
export function orderPath({ value }: YamlSource, dataset: string, place: number): ConfigPath {
  const { datasets = null } = value as { datasets?: Record<string, unknown> | null }
  const isList = Array.isArray(datasets?.[dataset])
  return isList ? ['datasets', dataset, place] : ['datasets', dataset]
}
