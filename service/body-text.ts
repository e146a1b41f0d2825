import { jsonText } from '../datasets/record/json-text.ts'

/** The JSON text of an answer. JSON.stringify is several times as fast as `jsonText`, but writes -0 as 0. */
export function bodyText(body: unknown): string {
  return holdsNegativeZero(body) ? jsonText(body) : JSON.stringify(body)
}

function holdsNegativeZero(value: unknown): boolean {
  if (typeof value === 'number') return Object.is(value, -0)
  if (typeof value !== 'object' || value === null) return false
  if (Array.isArray(value)) return value.some(holdsNegativeZero)
  for (const key in value) {
    if (holdsNegativeZero((value as Record<string, unknown>)[key])) return true
  }
  return false
}
