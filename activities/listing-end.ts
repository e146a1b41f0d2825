import type { FetchDeps } from './activity-deps.ts'
import type { SourceRequest, ThrottledAnswer } from './ask-source.ts'
import { askUnderstood } from './ask-understood.ts'
import { listingRepeats } from './listing-guard.ts'

/**
 * Judges a page that repeats the one before. Some services answer a page beyond the end with the
 * last one again: from page 3 on that is the end, because two pages differed. A second page that is
 * the first again may also come from a service that does not heed `page` at all, and then the rest
 * of the list would be lost silently. So its second half is asked for as a page of its own.
 *
 * @param json the answer's body.
 * @returns null when the listing has ended; what the source said when it said wait.
 * @throws SourceDataError LISTING_REPEATS when it cannot be told.
 */
export async function confirmEnd(
  deps: Pick<FetchDeps, 'client'>,
  request: SourceRequest,
  signal: AbortSignal,
  page: { number: number; json: unknown; url: string },
): Promise<ThrottledAnswer | null> {
  if (page.number > 2) return null
  const ids = listedIds(page.json)
  const half = Math.floor(ids.length / 2)
  // Without ids there is nothing to compare, and without `per_page` no half can be asked for.
  if (half === 0 || request.params['per_page'] === undefined) throw listingRepeats(page.url)
  const params = { ...request.params, per_page: String(half), page: '2' }
  const answered = await askUnderstood(deps, { ...request, params }, signal, async (answer) => {
    await answer.lose('LISTING_PROBE')
    return { kind: 'ids', ids: listedIds(answer.json) } as const
  })
  if (answered.kind === 'throttled') return answered
  const isSecondHalf =
    answered.ids.length === half && answered.ids.every((id, i) => id === ids[half + i])
  if (!isSecondHalf) throw listingRepeats(page.url)
  return null
}

/** Ids of a listing of coins or exchanges; rows without one have none. */
export function listedIds(json: unknown): string[] {
  return (Array.isArray(json) ? json : []).flatMap((row: unknown) => {
    const id = (row as { id?: unknown } | null)?.id
    return typeof id === 'string' && id !== '' ? [id] : []
  })
}
