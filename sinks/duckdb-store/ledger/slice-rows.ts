import type { Row, Slice } from '../../../datasets/dataset.ts'
import type { PlannedSlice } from '../../../plan/planned-slice.ts'

/** The six parts of a slice, as a SELECT list over `_slices`. */
export const SLICE_COLUMNS = `dataset, entity, vs_currency, granularity,
  epoch_ms(from_at) AS from_ms, epoch_ms(to_at) AS to_ms`

export const PLANNED_SLICE_COLUMNS = `slice_id, generation, ordinal, ${SLICE_COLUMNS}`

export function sliceOf(row: Row): Slice {
  return {
    dataset: String(row['dataset']),
    entity: String(row['entity']),
    vsCurrency: String(row['vs_currency']),
    granularity: String(row['granularity']) as Slice['granularity'],
    fromMs: Number(row['from_ms']),
    toMs: Number(row['to_ms']),
  }
}

export function plannedSlice(row: Row): PlannedSlice {
  return {
    ...sliceOf(row),
    sliceId: String(row['slice_id']),
    generation: Number(row['generation']),
    ordinal: Number(row['ordinal']),
  }
}
