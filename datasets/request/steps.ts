import type { OperationId } from '../../api/operations.ts'
import type { ParamValues } from '../../api/operations/describe-operation.ts'
import type { RequestStep } from '../dataset.ts'

export function singleStep(operation: OperationId, params: ParamValues = {}): RequestStep {
  return { operation, params, paging: 'single', perPage: 0 }
}

export function pagedStep(
  operation: OperationId,
  params: ParamValues,
  perPage: number,
): RequestStep {
  return { operation, params, paging: 'until_short', perPage }
}
