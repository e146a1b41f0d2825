import type { OperationId, ParamValues } from '../../api/operation.ts'
import type { RequestStep } from '../dataset.ts'

/** The one request of what comes whole. */
export function singleStep(operation: OperationId, params: ParamValues = {}): RequestStep {
  return { operation, params, paging: 'single', perPage: 0 }
}
