import { randomUUID } from 'node:crypto'
import { operations } from '../api/operations.ts'
import { isLastPage } from '../plan/listing-pages.ts'
import { sliceId } from '../plan/slice-id.ts'
import { coinIdsFrom, selectorText, universeStep } from '../plan/universe.ts'
import type { Slice } from '../datasets/dataset.ts'
import type { PageKey, PageStage } from '../stage/page-stage.ts'
import type { FetchDeps } from './activity-deps.ts'
import type { FetchPageResult } from './activity-types.ts'
import { toldRate } from './fetch-page.ts'
import { noteLostRequest } from './lost-requests.ts'

const DAY_MS = 86_400_000

/** The stage's place for the ranking that a `top:N` is chosen from: one a day. */
export function universeSlice(top: number, nowMs: number): Slice {
  const fromMs = Math.floor(nowMs / DAY_MS) * DAY_MS
  return {
    dataset: 'universe',
    entity: selectorText({ top }),
    vsCurrency: 'usd',
    granularity: '',
    fromMs,
    toMs: fromMs + DAY_MS,
  }
}

/** Fetches one page of the ranking by market cap into the stage; the choice is made by the loader. */
export async function fetchUniverse(
  deps: FetchDeps,
  input: { stageDir: string; top: number; page: number },
  signal: AbortSignal,
): Promise<FetchPageResult> {
  const slice = universeSlice(input.top, deps.clock.nowMs())
  const key: PageKey = { sliceId: sliceId(slice), generation: 0, step: 0, page: input.page }
  const stage = deps.stageAt(input.stageDir)
  const staged = await stage.find(key)
  const request = universeStep({ top: input.top })
  if (staged !== null) {
    return {
      kind: 'page',
      calls: 0,
      itemCount: staged.itemCount,
      rowCount: 0,
      observedAtMs: staged.observedAtMs,
      requestedAtMs: staged.requestedAtMs,
      callsPerSecond: null,
      next: staged.next,
    }
  }
  const requestedAtMs = Date.now()
  const answer = await deps.client.get(
    operations[request.operation],
    { ...request.params, page: String(input.page) },
    { signal },
  )
  if (answer.kind === 'throttled') {
    return { kind: 'throttled', throttledUntilMs: answer.untilMs, calls: answer.calls }
  }
  // It brings no rows, so no load would count it: the month's calls must know of it all the same.
  await noteLostRequest(input.stageDir, {
    requestId: randomUUID(),
    sliceId: key.sliceId,
    operation: request.operation,
    url: answer.url,
    status: answer.status,
    code: 'UNIVERSE',
    requestedAtMs,
    durationMs: answer.durationMs,
  })
  const itemCount = coinIdsOfPage(answer.json).length
  const observedAtMs = answer.dateMs ?? deps.clock.nowMs()
  const isEnough = input.page >= request.pages
  const next =
    isEnough || isLastPage(itemCount, request.perPage) ? null : { step: 0, page: input.page + 1 }
  await stage.write({
    facts: {
      key,
      slice,
      operation: request.operation,
      url: answer.url,
      status: answer.status,
      requestedAtMs,
      fetchedAtMs: observedAtMs,
      durationMs: answer.durationMs,
      calls: answer.calls,
      observedAtMs,
      counts: { outsideSlice: 0, duplicate: 0, future: 0 },
      rejected: [],
      unknownPaths: {},
      itemCount,
      deliveredGranularity: null,
      next,
    },
    rawBody: answer.body,
    tables: [],
  })
  return {
    kind: 'page',
    calls: answer.calls,
    itemCount,
    rowCount: 0,
    observedAtMs,
    requestedAtMs,
    callsPerSecond: toldRate(answer.rate),
    next,
  }
}

/** The chosen coins, best first, read back from the staged ranking; null when it is not whole. */
export async function stagedUniverse(
  stage: PageStage,
  top: number,
  nowMs: number,
): Promise<string[] | null> {
  const id = sliceId(universeSlice(top, nowMs))
  const pages = await stage.findSlice(id, 0)
  if (pages === null) return null
  const ids: string[][] = []
  for (const page of pages) {
    const body: unknown = JSON.parse(new TextDecoder().decode(await stage.readRaw(page)))
    ids.push(coinIdsOfPage(body))
  }
  return coinIdsFrom(ids, top)
}

/** Ids of a coins/markets body; rows without one are no coins that could be asked for. */
function coinIdsOfPage(body: unknown): string[] {
  if (!Array.isArray(body)) return []
  return body.flatMap((row: { id?: unknown } | null) =>
    typeof row?.id === 'string' && row.id !== '' ? [row.id] : [],
  )
}
