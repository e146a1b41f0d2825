import { type Operation, type OperationId, operations } from '../../api/operations.ts'
import type { ParamValues } from '../../api/operations/describe-operation.ts'

/** The rows of a page (`page` from 1, and `per_page`) of a paged operation, clamped as the source does. */
export function pageWindow(
  id: OperationId,
  params: ParamValues,
): { limit: number; offset: number } {
  const { paging }: Operation = operations[id]
  const { defaultPerPage, maxPerPage } = paging!
  const limit = Math.min(positive(params['per_page'], defaultPerPage), maxPerPage)
  return { limit, offset: (positive(params['page'], 1) - 1) * limit }
}

/** The values of a csv parameter; null: it is missing. A space after a comma belongs to its id, as recorded. */
export function csvValues(value: string | undefined): string[] | null {
  return value === undefined || value === '' ? null : value.split(',')
}

function positive(value: string | undefined, fallback: number): number {
  const number = Math.floor(Number(value ?? fallback))
  return number >= 1 ? number : fallback
}
