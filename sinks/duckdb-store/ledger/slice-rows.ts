import type { Slice } from '../../../datasets/dataset.ts'

/** The six parts of a slice, as a SELECT list over `_slices`: rows of the type Slice. */
export const SLICE_COLUMNS = `dataset, entity, vs_currency AS vsCurrency, granularity,
  epoch_ms(from_at) AS fromMs, epoch_ms(to_at) AS toMs`

/** The six parts of a slice as a record for appendRecords. */
export function sliceRecord({ dataset, entity, vsCurrency, granularity, fromMs, toMs }: Slice) {
  return { dataset, entity, vs_currency: vsCurrency, granularity, from_at: fromMs, to_at: toMs }
}

/** A SELECT list over `_unreachable`: rows of the type Unreachable. */
export const UNREACHABLE_COLUMNS = `${SLICE_COLUMNS}, reason`

/** A SELECT list over `_slices`: rows of the type PlannedSlice. */
export const PLANNED_SLICE_COLUMNS = `slice_id AS sliceId, generation, ordinal, ${SLICE_COLUMNS}`
