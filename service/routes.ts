import type { Operation } from '../api/operations.ts'

/** An operation's path as a route of the service: `coins/{id}/ohlc` -> `/v2/coins/:id/ohlc`. */
export function routePattern(operation: Operation, basePath: string): string {
  return `${basePath}/${operation.id.replaceAll(/\{(\w+)\}/g, ':$1')}`
}

/** Sorts fixed segments before placeholders: `coins/list` is the list, not the coin with the id `list`. */
export function byPrecedence(operations: readonly Operation[]): Operation[] {
  return [...operations].sort((a, b) => compareKeys(precedenceKey(a), precedenceKey(b)))
}

/** The id with placeholders as a high code point: they sort after every fixed segment. */
function precedenceKey(operation: Operation): string {
  return operation.id.replaceAll(/\{\w+\}/g, '\u{ffff}')
}

function compareKeys(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}
