import type { OperationId } from '../../api/operations.ts'
import type { ParamValues } from '../../api/operations/describe-operation.ts'
import type { Answer, BodyPart, Dataset, Slice } from '../dataset.ts'
import { singleStep } from './steps.ts'

/** The fields of a dataset without series and currency. */
export const WITHOUT_SERIES = {
  entity: null,
  perCurrency: false,
  granularities: [],
  maxSliceMs: () => Infinity,
  reachMs: () => null,
  settleMs: () => 0,
  lateMs: () => 0,
  cacheMs: () => 0,
  leftOut: [],
} satisfies Partial<Dataset>

export type SnapshotFacts = Pick<Dataset, 'name' | 'description' | 'tables' | 'toTables'> &
  Partial<Dataset> & {
    operation: OperationId
    /** The parameters of the one request of a slice. */
    params?: (slice: Slice) => ParamValues
    answer: Answer
    parts?: readonly BodyPart[]
  }

/** A dataset with one request for the current values per slice. `facts` may also have any other field of a dataset. */
export function snapshotDataset({
  operation,
  params = () => ({}),
  answer,
  parts,
  ...facts
}: SnapshotFacts): Dataset {
  return {
    kind: 'snapshot',
    ...WITHOUT_SERIES,
    operations: [operation],
    steps: (slice) => [singleStep(operation, params(slice))],
    answers: { [operation]: answer },
    ...(parts === undefined ? {} : { bodies: { [operation]: parts } }),
    ...facts,
  }
}
