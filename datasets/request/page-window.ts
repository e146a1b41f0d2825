import type { ParamValues } from '../../api/operation.ts'

/** Rows of a page (`page` from 1, `per_page` where the operation has it): clamped as the service does. */
export function pageWindow(
  params: ParamValues,
  defaultPerPage: number,
  maxPerPage: number,
): { limit: number; offset: number } {
  const limit = Math.min(positive(params['per_page'], defaultPerPage), maxPerPage)
  return { limit, offset: (positive(params['page'], 1) - 1) * limit }
}

/** Values of a csv parameter, null when it is not given. Spaces around a comma are no part of an id. */
export function csvOf(value: string | undefined): string[] | null {
  return value === undefined || value === '' ? null : value.split(',').map((part) => part.trim())
}

function positive(value: string | undefined, fallback: number): number {
  const number = Math.floor(Number(value ?? fallback))
  return number >= 1 ? number : fallback
}
