import { quoteText } from '../../datasets/table/ddl.ts'
import type { LostRequest } from '../../sinks/store-records.ts'
import type { StagedPage } from '../../stage/page-stage.ts'
import type { StoreDeps } from '../activity-deps.ts'

/** A run may have begun this many slices after the last ended one: in batches, or waiting for a load. */
const BEGUN_AHEAD = 1_000

/** A staged page of a slice that was not loaded. Its calls still count. */
export interface UnloadedPage {
  ordinal: number
  page: StagedPage
}

/** Staged pages of planned slices: those of `ordinals`, else all that the run may have begun. */
export async function unloadedPages(
  { store, stage }: Pick<StoreDeps, 'store' | 'stage'>,
  runId: string,
  ordinals?: readonly number[],
): Promise<UnloadedPage[]> {
  const run = `run_id = ${quoteText(runId)}`
  const which =
    ordinals === undefined
      ? `ordinal <= ${BEGUN_AHEAD} + (SELECT coalesce(max(ordinal), 0) FROM _slices
           WHERE ${run} AND state <> 'planned')`
      : `ordinal IN (${ordinals.join(', ')})`
  const slices = await store.query(
    `SELECT ordinal, slice_id, generation FROM _slices
     WHERE ${run} AND state = 'planned' AND ${which} ORDER BY ordinal`,
  )
  const found: UnloadedPage[] = []
  for (const slice of slices) {
    const key = { sliceId: String(slice['slice_id']), generation: Number(slice['generation']) }
    // Up to the first missing page: the slice may be incomplete.
    for (let next: StagedPage['next'] = { step: 0, page: 1 }; next !== null;) {
      const page: StagedPage | null = await stage.find({ ...key, ...next })
      if (page === null) break
      found.push({ ordinal: Number(slice['ordinal']), page })
      next = page.next
    }
  }
  return found
}

/** The page as a request for the ledger. */
export function asLostRequest({ key, ...page }: StagedPage, code: string): LostRequest {
  const { operation, url, status, requestedAtMs, durationMs, calls } = page
  const requestId = `${key.sliceId}-g${key.generation}-s${key.step}-p${key.page}-lost`
  const facts = { operation, url, status, requestedAtMs, durationMs, calls }
  return { requestId, sliceId: key.sliceId, code, ...facts }
}
