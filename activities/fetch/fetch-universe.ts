import { DAY_MS } from '../../config/values/duration.ts'
import { isListingEnd } from '../../plan/listing-pages.ts'
import { sliceId } from '../../plan/planned-slice.ts'
import { coinIdsFrom, coinsRequest } from '../../plan/universe.ts'
import { type CoinSelector, selectorText } from '../../config/values/coin-selector.ts'
import type { Slice } from '../../datasets/dataset.ts'
import type { PageKey, PageStage, StagedPage } from '../../stage/page-stage.ts'
import { failureFactsOf } from '../activity-failure.ts'
import type { FetchDeps, PageDeps } from '../activity-deps.ts'
import type { FetchPageResult, UniverseInput, UniverseResult } from '../activity-types.ts'
import { batchTime, type PageCalls } from './batch-time.ts'
import { askWithAcceptedParams } from './ask-accepted.ts'
import { BATCH_MS } from './fetch-batch.ts'
import { resultOf } from './fetch-page.ts'
import type { LocalRun } from './key-ring.ts'
import { areSameItems, confirmEnd, refuseEndless } from './listing-end.ts'
import { PAGELESS_CODES } from './lost-requests.ts'
import { tryPage } from './page-tries.ts'
import { confirmFilter, confirmRanking, emptyUniverseError } from './universe-checks.ts'
import { selectorFrom } from '../plan/selector-from.ts'

/** The slice under which the stage keeps a selector's listing of one day. */
export function universeSlice(selector: CoinSelector, nowMs: number): Slice {
  const fromMs = Math.floor(nowMs / DAY_MS) * DAY_MS
  return {
    dataset: 'universe',
    entity: selectorText(selector),
    vsCurrency: 'usd',
    granularity: '',
    fromMs,
    toMs: fromMs + DAY_MS,
  }
}

/** Reads the listing of a selector (`top:100`) into the stage, until the batch is over. Staged pages cost no call. */
export async function fetchUniverse(
  deps: FetchDeps,
  runOf: (runId: string) => LocalRun,
  { runId, selector: selectorKey, mayUseReserve, tries: triesBefore }: UniverseInput,
  stopped: AbortSignal,
): Promise<UniverseResult> {
  const turn = batchTime(deps.batchMs ?? BATCH_MS, stopped, mayUseReserve)
  const { keys } = runOf(runId)
  const soFar: UniverseResult = {
    isWhole: false,
    tries: triesBefore,
    notBeforeMs: 0,
    waitUntilMs: 0,
    fatal: null,
    // Getters, because both change until the result is returned.
    get calls() {
      return turn.calls()
    },
    get lostKeys() {
      return keys.lost()
    },
  }
  try {
    for (let page = 1; !turn.isOver();) {
      const ask = async () =>
        keys.ask((client) =>
          universePage({ ...deps, runId, client }, selectorKey, page, turn.pageCalls()),
        )
      const result = await tryPage(ask, soFar, turn)
      if (result.kind === 'left') return { ...soFar, notBeforeMs: result.notBeforeMs }
      if (result.kind === 'throttled') return { ...soFar, waitUntilMs: result.throttledUntilMs }
      if (result.kind !== 'page') throw new Error(`a listing of coins came as ${result.kind}`)
      if (result.next === null) return { ...soFar, isWhole: true }
      // A page from the stage reports 0 bytes.
      if (result.bytes > 0) soFar.tries = 0
      page = result.next.page
    }
    return soFar
  } catch (error) {
    // Without its coins an order means nothing, so a lasting fault ends the run.
    const { isRetryable: _, ...fatal } = failureFactsOf(error)
    return { ...soFar, fatal }
  }
}

export async function universePage(
  deps: PageDeps,
  selectorKey: string,
  page: number,
  pageCalls: PageCalls,
): Promise<FetchPageResult> {
  const selector = selectorFrom(selectorKey)
  const { stage } = deps
  const nowMs = deps.clock.nowMs()
  const today = universeSlice(selector, nowMs)
  const slice = page === 1 ? today : ((await begunSlice(stage, selector, nowMs)) ?? today)
  const key: PageKey = { sliceId: sliceId(slice), generation: 0, step: 0, page }
  const staged = await stage.find(key)
  if (staged !== null) return { ...resultOf(staged), bytes: 0 }
  await stage.requireRoom()
  const step = coinsRequest(selector)
  const request = {
    sliceId: key.sliceId,
    operation: step.operation,
    params: step.perPage === 0 ? step.params : { ...step.params, page: String(page) },
  }
  return askWithAcceptedParams(deps, request, pageCalls, async (answer, accepted) => {
    const rows = rowsOf(answer.json)
    const ids = listedIds(rows)
    // A choice with a limit ends by itself.
    if (step.limit === null && ids.length > 0) refuseEndless(page, answer.url)
    // Before staging: a staged empty page would answer all day, even after the source has recovered.
    if (page === 1 && ids.length === 0) throw emptyUniverseError(selector, answer.url)
    const last = page === 1 ? null : await stage.find({ ...key, page: page - 1 })
    const isRepeat =
      last !== null && ids.length > 0 && areSameItems(ids, await stagedIds(stage, last))
    if (isRepeat) {
      const firstItems = (await stage.find({ ...key, page: 1 }))?.itemCount ?? 0
      const repeated = {
        number: page,
        answer,
        items: rows.length,
        firstItems,
        perPage: step.perPage,
      }
      const wait = await confirmEnd(deps, request, pageCalls, repeated)
      if (wait !== null) return wait
    }
    const itemCount = isRepeat ? 0 : rows.length
    if ('category' in selector && page === 1 && itemCount > 0) {
      const wait = await confirmFilter(deps, request, pageCalls)
      if (wait !== null) return wait
    }
    const itemsSoFar = (last?.itemsSoFar ?? 0) + itemCount
    if ('top' in selector && accepted['order'] === undefined) {
      confirmRanking(rows, itemsSoFar, answer.url)
    }
    const { url, status, requestedAtMs, durationMs, calls, toldItems } = answer
    const { perPage } = step
    // Counted in items: a service may send smaller pages than requested.
    const isEnough =
      perPage === 0 ||
      itemsSoFar >= (step.limit ?? Infinity) ||
      isListingEnd({ itemCount, itemsSoFar, perPage, toldItems })
    const observedAtMs = answer.dateMs ?? deps.clock.nowMs()
    // A listing has no rows, so no load records its call. The note comes first: a staged page is not asked for again.
    await answer.recordLost(PAGELESS_CODES.choice)
    const written = await stage.write({
      facts: {
        key,
        slice,
        operation: step.operation,
        url,
        status,
        requestedAtMs,
        fetchedAtMs: observedAtMs,
        durationMs,
        calls,
        observedAtMs,
        counts: { outsideSlice: 0, duplicate: 0, future: 0 },
        rejected: [],
        unknownPaths: {},
        itemCount,
        itemsSoFar,
        deliveredGranularity: null,
        next: isEnough ? null : { step: 0, page: page + 1 },
      },
      rawBody: answer.body,
      encoded: answer.encoded,
      tables: [],
    })
    return resultOf(written)
  })
}

/** The chosen coins in the order of the staged listing; null = the listing is incomplete. */
export async function stagedUniverse(
  stage: PageStage,
  selector: CoinSelector,
  nowMs: number,
): Promise<string[] | null> {
  const slice = await begunSlice(stage, selector, nowMs)
  const pages = slice === null ? null : await stage.findSlice(sliceId(slice), 0)
  if (pages === null) return null
  const ids: string[][] = []
  for (const page of pages) ids.push(await stagedIds(stage, page))
  return coinIdsFrom(ids, coinsRequest(selector).limit)
}

/** Today's listing if it has begun, else yesterday's: a listing read over midnight stays one. */
async function begunSlice(
  stage: PageStage,
  selector: CoinSelector,
  nowMs: number,
): Promise<Slice | null> {
  for (const dayMs of [nowMs, nowMs - DAY_MS]) {
    const slice = universeSlice(selector, dayMs)
    const first = { sliceId: sliceId(slice), generation: 0, step: 0, page: 1 }
    if ((await stage.find(first)) !== null) return slice
  }
  return null
}

async function stagedIds(stage: PageStage, page: StagedPage): Promise<string[]> {
  return listedIds(rowsOf(JSON.parse(new TextDecoder().decode(await stage.readRaw(page)))))
}

function rowsOf(body: unknown): unknown[] {
  return Array.isArray(body) ? body : []
}

/** Ids of a listing of coins; rows without an id are left out. */
function listedIds(rows: readonly unknown[]): string[] {
  return rows.flatMap((row) => {
    const id = (row as { id?: unknown } | null)?.id
    return typeof id === 'string' && id !== '' ? [id] : []
  })
}
