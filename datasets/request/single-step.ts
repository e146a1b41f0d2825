import type { OperationId, ParamValues } from '../../api/operation.ts'
import type { RequestStep } from '../dataset.ts'

/** The step of an operation without pages. */
export function singleStep(operation: OperationId, params: ParamValues = {}): RequestStep {
  return { operation, params, paging: 'single', perPage: 0 }
}
