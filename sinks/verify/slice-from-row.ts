import type { Row, Slice } from '../../datasets/dataset.ts'

/** A slice from a row with dataset, entity, vs_currency, granularity, from_ms and to_ms. */
export function sliceFromRow(row: Row): Slice {
  return {
    dataset: String(row['dataset']),
    entity: String(row['entity']),
    vsCurrency: String(row['vs_currency']),
    granularity: String(row['granularity']) as Slice['granularity'],
    fromMs: Number(row['from_ms']),
    toMs: Number(row['to_ms']),
  }
}
