import type { AbsentEntity } from '../../sinks/store-records.ts'
import { count } from './quantities.ts'
import { utcDay } from './utc-text.ts'

/** Most ids that are named. */
const NAMED = 10

/**
 * Lines for ids that the source does not list, each with the datasets that lack it.
 *
 * @param total the number of absences, each an id in a dataset; `entities` may lack the last
 */
export function absentLines(
  entities: readonly Omit<AbsentEntity, 'rows' | 'slices'>[],
  total = entities.length,
): string[] {
  const byEntity = [...Map.groupBy(entities, ({ entity }) => entity)]
  const lines = byEntity.slice(0, NAMED).map(([entity, ones]) => {
    const sinceMs = Math.min(...ones.map(({ goneSinceMs }) => goneSinceMs))
    const day = utcDay(sinceMs)
    const where = ones.map(({ dataset }) => dataset).join(', ')
    if (ones.some(({ wasListed }) => wasListed)) {
      return `unknown at the source since ${day}: ${entity} is not in the answers for ${where} any more`
    }
    return `unknown at the source: ${entity} was never in an answer for ${where} (asked since ${day}); is the id right?`
  })
  const shown = byEntity.slice(0, NAMED).reduce((sum, [, ones]) => sum + ones.length, 0)
  if (total > shown) lines.push(`... and ${count(total - shown)} more (see --json)`)
  return lines
}
