import { Context } from '@temporalio/activity'
import { asActivity } from '../../activities/as-activity.ts'
import type {
  ControlActivities,
  FetchActivities,
  FetchPageInput,
  FetchPageResult,
  LoadActivities,
  RunReport,
  UniversePageInput,
} from '../../activities/activity-types.ts'
import { MonthSpentError } from '../../api/month-spent-error.ts'
import type { PlannedSlice } from '../../plan/planned-slice.ts'
import { sliceId } from '../../plan/slice-id.ts'
import type { SliceFailure } from '../../sinks/store.ts'

/** One page as the source was asked for it. */
export interface Ask {
  ordinal: number
  input: FetchPageInput
  /** How often the server has started this very activity: 1 unless a fault was retried. */
  attempt: number
  /** How often this page was asked for before, in any activity. */
  before: number
  atMs: number
  /** The key that it was asked with, counted from 0. */
  key: number
}

export interface FakeWarehouseOptions {
  slices: number
  /** What the source says; default `page()`. Errors leave as those of real activities do. */
  answer?: (ask: Ask) => FetchPageResult | Promise<FetchPageResult>
  /** Coin choices that are missing: `top:3`. */
  universes?: string[]
  /** What a page of the listing of a choice says; default `page()`. */
  choose?: (input: UniversePageInput) => FetchPageResult
  /** A later window that takes the place of one that is to be run; default none. */
  supersededByMs?: number
  /** What a load waits for before it is done. */
  onLoad?: () => Promise<void>
  /** What a publication does; `isLast`: the one with the verdict. */
  onPublish?: (isLast: boolean) => void
}

/** A ledger and a source in memory, with the names and errors of the real activities. */
export interface FakeWarehouse {
  activities: { control: ControlActivities; fetch: FetchActivities; load: LoadActivities }
  asks: Ask[]
  /** Ordinals by load. */
  loads: number[][]
  failures: SliceFailure[]
  /** How coins were chosen, in order: each page asked for, each choice frozen, and the plan. */
  choices: string[]
  /** Activities of the run's end, in order. */
  ending: string[]
}

/** A whole page of one slice; the last of its listing unless `next` says otherwise. */
export function page(next: { step: number; page: number } | null = null): FetchPageResult {
  return {
    kind: 'page',
    calls: 1,
    itemCount: 1,
    rowCount: 10,
    bytes: 1_000,
    observedAtMs: 1_700_000_000_000,
    requestedAtMs: 1_700_000_000_000,
    next,
  }
}

/** What a page meets whose key has no call left in this month. */
export function spentMonth(): MonthSpentError {
  const facts = { ceiling: 100, reserve: 10, isTold: false, keyId: 'key' }
  return new MonthSpentError({ ...facts, endsAtMs: Date.UTC(2100, 0, 1) })
}

/** Nothing but what the workflows see: who asks what, when, and how often. */
export function fakeWarehouse(options: FakeWarehouseOptions): FakeWarehouse {
  const {
    answer = () => page(),
    universes = [],
    choose = () => page(),
    supersededByMs = null,
    onLoad,
    onPublish,
  } = options
  const slices = Array.from({ length: options.slices }, (_, ordinal) => plannedSlice(ordinal))
  const asks: Ask[] = []
  const loads: number[][] = []
  const failures: SliceFailure[] = []
  const choices: string[] = []
  const ending: string[] = []
  const ended = (): Set<number> =>
    new Set([...loads.flat(), ...failures.map(({ ordinal }) => ordinal)])

  const fetch: FetchActivities = {
    fetchPage: asActivity(async (input) => {
      const { ordinal } = input.slice
      const isSame = (ask: Ask): boolean =>
        ask.ordinal === ordinal && ask.input.step === input.step && ask.input.page === input.page
      const ask: Ask = {
        ordinal,
        input,
        attempt: Context.current().info.attempt,
        before: asks.filter(isSame).length,
        atMs: Date.now(),
        key: keyOfQueue(Context.current().info.taskQueue),
      }
      asks.push(ask)
      return await answer(ask)
    }),
    fetchUniverse: asActivity(async (input) => {
      choices.push(`${input.selector} page ${input.page}`)
      return choose(input)
    }),
  }
  const load: LoadActivities = {
    openWindow: asActivity(async ({ templateId: orderId }) => ({
      orderId,
      workflowsId: '',
      supersededByMs,
    })),
    openRun: asActivity(async () => ({ universes })),
    freezeUniverse: asActivity(async ({ selector }) => void choices.push(`${selector} frozen`)),
    planRun: asActivity(async () => {
      choices.push('planned')
      return { slices: slices.length, pages: slices.length }
    }),
    nextSlices: asActivity(async ({ lane, lanes, after, limit }) => {
      const gone = ended()
      const left = slices.filter(
        ({ ordinal }) => ordinal > after && ordinal % lanes === lane && !gone.has(ordinal),
      )
      return { slices: left.slice(0, limit), isEnd: left.length <= limit }
    }),
    loadSlices: asActivity(async ({ ordinals }) => {
      await onLoad?.()
      const gone = ended()
      const claimed = ordinals.filter((ordinal) => !gone.has(ordinal))
      loads.push(claimed)
      return { slices: claimed.length, rows: claimed.length * 10, notStaged: [] }
    }),
    failSlices: asActivity(async (input) => void failures.push(...input.failures)),
    verifyRun: asActivity(async ({ cancelled, fatal }) => {
      ending.push('verify')
      if (fatal !== null) return { verdict: 'failed' }
      if (loads.flat().length === slices.length) return { verdict: 'complete' }
      return { verdict: cancelled ? 'cancelled' : 'partial' }
    }),
    publishRun: asActivity(async ({ verdict }) => {
      ending.push(verdict === null ? 'publish what is there' : 'publish')
      onPublish?.(verdict !== null)
      return []
    }),
    reportRun: asActivity(async (input) => {
      ending.push('report')
      const loaded = loads.flat().length
      return {
        ...input,
        startedAt: '',
        finishedAt: '',
        calls: asks.length,
        rows: loaded * 10,
        slices: {
          planned: slices.length,
          loaded,
          provisional: 0,
          empty: 0,
          failed: failures.length,
          missing: slices.length - loaded - failures.length,
        },
        datasets: [],
        failures: [],
        unreachable: { days: 0, datasets: [] },
        coinlakeVersion: '',
      } satisfies RunReport
    }),
  }
  const control: ControlActivities = {
    setCap: asActivity(async () => undefined),
  }
  return { activities: { control, fetch, load }, asks, loads, failures, choices, ending }
}

/** Name of the fetch queue of a bench's n-th key, counted from 0. */
export function queueOfKey(benchId: string, key: number): string {
  return `coinlake-fetch.${benchId}.${key}`
}

function keyOfQueue(queue: string): number {
  return Number(queue.split('.').at(-1))
}

const DAY_MS = 86_400_000

function plannedSlice(ordinal: number): PlannedSlice {
  const slice = {
    dataset: 'market_chart',
    entity: `coin-${ordinal}`,
    vsCurrency: 'usd',
    granularity: '1d',
    fromMs: 0,
    toMs: 90 * DAY_MS,
  } as const
  return { ...slice, sliceId: sliceId(slice), generation: 0, ordinal }
}
