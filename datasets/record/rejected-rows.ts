import { SourceDataError } from '../../api/errors.ts'
import type { RejectedRow } from '../dataset.ts'
import { jsonText } from './json-text.ts'

/** A page with more rejected rows is refused whole. The largest listing has 18,000 rows. */
export const MOST_REJECTED = 5_000

/** Adds a value that broke a rule to `rejected`. @throws SourceDataError as addRejected */
export function reject(rejected: RejectedRow[], rule: string, path: string, value: unknown): void {
  addRejected(rejected, [{ rule, path, raw: jsonText(value) }])
}

export function countPath(counts: Record<string, number>, path: string, times = 1): void {
  counts[path] = (counts[path] ?? 0) + times
}

/** Adds rejected rows. @throws SourceDataError beyond MOST_REJECTED, because so many would block the only thread */
export function addRejected(rejected: RejectedRow[], more: readonly RejectedRow[]): void {
  if (rejected.length + more.length > MOST_REJECTED) {
    const first = rejected[0] ?? more[0]!
    throw new SourceDataError(
      `more than ${MOST_REJECTED} rows of the answer break a rule, the first at ${first.path} (${first.rule})`,
    )
  }
  for (const row of more) rejected.push(row)
}
