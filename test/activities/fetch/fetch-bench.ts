import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { FetchDeps, PageDeps } from '../../../activities/activity-deps.ts'
import type { FetchPageInput, FetchPageResult } from '../../../activities/activity-types.ts'
import type { PageCalls } from '../../../activities/fetch/batch-time.ts'
import { fetchPage } from '../../../activities/fetch/fetch-page.ts'
import { createSourceClient } from '../../../api/client.ts'
import { createPacer } from '../../../api/pacer.ts'
import type { CallRate } from '../../../api/rate-headers.ts'
import { frozenClock } from '../../../config/clock.ts'
import type { Config } from '../../../config/config.ts'
import { Secret } from '../../../config/values/secret.ts'
import type { Slice } from '../../../datasets/dataset.ts'
import { datasets } from '../../../datasets/index.ts'
import { type PlannedSlice, sliceId } from '../../../plan/planned-slice.ts'
import type { LostRequest } from '../../../sinks/store-records.ts'
import { remakePages } from '../../../sinks/replay/remake-page.ts'
import { openStage, type Stage } from '../../../stage/open-stage.ts'
import { ScriptedServer } from '../../api/scripted-server.ts'
import { filesUnder } from '../../parts/files-under.ts'
import { tempDir } from '../../parts/temp-dir.ts'
import { CLIENT_SETTINGS } from '../../parts/client-settings.ts'

/** The source's time and ours, unless a test says otherwise. */
export const NOW_MS = Date.UTC(2026, 2, 14, 12, 30, 15)
export const DAY_MS = 86_400_000
export const TODAY_MS = Date.UTC(2026, 2, 14)
export const KEY = 'bench-key-that-nobody-may-see'

/** One answer of the source: a body, or how it refuses. */
export interface ScriptedAnswer {
  status?: number
  headers?: Record<string, string>
  body?: unknown
  /** The source's clock; default NOW_MS. */
  atMs?: number
  /** Ends the connection without an answer. */
  isReset?: boolean
}

/** The query of a request and its path decide. */
type Script = (query: URLSearchParams, path: string) => ScriptedAnswer

export interface FetchBench {
  dir: string
  stage: Stage
  /** Of a page, and of a batch with one key. */
  deps: PageDeps & FetchDeps
  /** URLs that were asked for, path and query. */
  asked: () => string[]
  /** The answer of the source from now on; the query of each request decides. A ping is another matter. */
  answer: (script: Script) => void
  /** The answer to a ping. Default: OK. */
  answerPing: (said: ScriptedAnswer) => void
  fetch: (
    input: Partial<FetchPageInput>,
    pageCalls?: PageCalls,
  ) => Promise<FetchPageResult & { calls: number }>
  /** Notes that wait for the loader. */
  lost: () => Promise<LostRequest[]>
  /** Their codes, sorted. */
  lostCodes: () => Promise<string[]>
  /** All files below the stage, as text. */
  texts: () => Promise<string[]>
}

/**
 * The fetching side of a worker with a real client, a real socket and a real stage on disk.
 *
 * @param script the words of the source, until others are told
 */
export async function fetchBench(
  script?: Script,
  rate: CallRate = { calls: 1000, perMs: 1000 },
): Promise<FetchBench> {
  const server = await ScriptedServer.start()
  let pong: ScriptedAnswer = { body: { status: 'OK' } }
  const dir = tempDir()
  const client = createSourceClient({
    rootUrl: server.rootUrl,
    auth: { header: 'authorization', template: 'Bearer {key}', key: new Secret(KEY) },
    pacer: createPacer({ rate }),
    ...CLIENT_SETTINGS,
  })
  onTestFinished(async () => {
    await client.close()
    await server.close()
  })
  const stage = openStage({
    dir,
    keep: 'forever',
    remake: remakePages({ datasets, maxHistoryDays: null }),
  })
  const source = { maxHistoryDays: null } as Config['source']
  const deps: PageDeps & FetchDeps = {
    runId: 'run',
    clock: frozenClock(NOW_MS),
    config: { source } as Config,
    client,
    keys: [{ keyId: 'key', client }],
    stage,
    stageDir: dir,
    pagesInFlight: 4,
    observe: () => undefined,
  }
  const bench: FetchBench = {
    dir,
    stage,
    deps,
    asked: () => server.requests.map((request) => request.url ?? ''),
    answer: (script) => {
      server.answer((request, response) => {
        const url = new URL(request.url ?? '', server.rootUrl)
        const isPing = url.pathname === '/v2/ping'
        const said = isPing ? pong : script(url.searchParams, url.pathname)
        if (said.isReset === true) {
          response.destroy()
          return
        }
        response.writeHead(said.status ?? 200, {
          'content-type': 'application/json',
          date: new Date(said.atMs ?? NOW_MS).toUTCString(),
          ...said.headers,
        })
        response.end(JSON.stringify(said.body))
      })
    },
    answerPing: (said) => {
      pong = said
    },
    fetch: async (input, pageCalls = freePageCalls()) => {
      const result = await fetchPage(deps, { ...firstPage(planned(MARKETS)), ...input }, pageCalls)
      return { ...result, calls: pageCalls.callsMade }
    },
    lost: async () => {
      const names = await readdir(join(dir, 'lost')).catch(() => [])
      const texts = names.map((name) => readFile(join(dir, 'lost', name), 'utf8'))
      return (await Promise.all(texts)).map((text) => JSON.parse(text) as LostRequest)
    },
    lostCodes: async () => (await bench.lost()).map(({ code }) => code).toSorted(),
    texts: () => Promise.all(filesUnder(dir).map((name) => readFile(join(dir, name), 'latin1'))),
  }
  if (script !== undefined) bench.answer(script)
  return bench
}

/** A page that has all the time there is. */
export function freePageCalls(): PageCalls {
  const { signal } = new AbortController()
  return { firstCallStop: signal, furtherCallsStop: signal, mayUseReserve: false, callsMade: 0 }
}

export const MARKETS: Slice = {
  dataset: 'coin_markets',
  entity: '',
  vsCurrency: 'usd',
  granularity: '',
  fromMs: TODAY_MS,
  toMs: TODAY_MS + DAY_MS,
}

/** Two days of hours that are over. */
export const CHART: Slice = {
  ...MARKETS,
  dataset: 'market_chart',
  entity: 'bitcoin',
  granularity: '1h',
  fromMs: TODAY_MS - 10 * DAY_MS,
  toMs: TODAY_MS - 8 * DAY_MS,
}

export function planned(slice: Slice): PlannedSlice {
  return { ...slice, sliceId: sliceId(slice), generation: 0, ordinal: 0 }
}

export function firstPage(slice: PlannedSlice): FetchPageInput {
  return {
    slice,
    step: 0,
    page: 1,
    attempt: 1,
    observedAtMs: null,
    previousAskedAtMs: null,
    freshAfterMs: null,
  }
}

/** A page of coins/markets with coins `from`, `from + 1`, ... */
export function coins(count: number, from = 0): unknown[] {
  return Array.from({ length: count }, (_, i) => ({
    id: `coin-${String(from + i).padStart(5, '0')}`,
    symbol: 'c',
    name: 'C',
    current_price: 1.5,
  }))
}

/** The answer to a page by a service with `total` coins that grants at most `grants` a page. */
export function listed(query: URLSearchParams, total: number, grants = 250): ScriptedAnswer {
  const perPage = Math.min(Number(query.get('per_page')), grants)
  const from = (Number(query.get('page')) - 1) * perPage
  return { body: coins(Math.max(0, Math.min(perPage, total - from)), from) }
}

/** The same of a service that answers a page beyond the end with the last one again. */
export function listedClamped(query: URLSearchParams, total: number, grants = 250): ScriptedAnswer {
  const perPage = Math.min(Number(query.get('per_page')), grants)
  const page = Math.min(Number(query.get('page')), Math.ceil(total / perPage))
  return listed(new URLSearchParams({ per_page: String(perPage), page: String(page) }), total)
}

/** Reads a listing as a lane does; the pages that were given. */
export async function readListing(bench: FetchBench, begin: Partial<FetchPageInput> = {}) {
  const results: (FetchPageResult & { calls: number })[] = []
  let input = begin
  for (;;) {
    const result = await bench.fetch(input)
    results.push(result)
    if (result.kind !== 'page' || result.next === null) return results
    const { observedAtMs, requestedAtMs: previousAskedAtMs, next } = result
    input = { ...input, ...next, observedAtMs, previousAskedAtMs }
  }
}
