import pLimit from 'p-limit'
import { failureFactsOf } from '../../activities/activity-failure.ts'
import { asActivity } from '../../activities/as-activity.ts'
import type {
  BatchSlice,
  BegunSlice,
  FetchActivities,
  FetchBatchResult,
  StoreActivities,
  NextSlicesResult,
  ReportRunInput,
  SliceOutcome,
  UniverseInput,
  UniverseResult,
} from '../../activities/activity-types.ts'
import type { RunReport } from '../../activities/run-report.ts'
import { fatalCauseOf } from '../../activities/fetch/fetch-batch.ts'
import { NOT_BEGUN } from '../../activities/fetch/fetch-slice.ts'
import { type PlannedSlice, sliceId } from '../../plan/planned-slice.ts'
import type { SliceFailure } from '../../sinks/store-records.ts'
import { runReport, sliceCounts } from '../parts/run-report.ts'

/** One slice as a batch takes it up. */
export interface Ask {
  ordinal: number
  begun: BegunSlice | undefined
  /** How often this slice was taken up before, by any batch. */
  before: number
  atMs: number
  /** Of the batch, counted from 0 in the order in which they began. */
  batch: number
  mayUseReserve: boolean
}

/** The end of a slice: staged, told to wait, or left as far as it came. */
export type Answer =
  | { kind: 'staged'; rows: number }
  | { kind: 'throttled'; untilMs: number }
  | { kind: 'left'; begun: Partial<BegunSlice>; notBeforeMs: number }

export interface FakeWarehouseOptions {
  slices: number
  /** The end of a slice; default `staged`. Errors end as those of real activities do. */
  answer?: (ask: Ask) => Answer | Promise<Answer>
  /** Coin choices that are missing: `top:3`. */
  universes?: string[]
  /** How far the listing of a choice has come; default: to its end. */
  choose?: (input: UniverseInput) => Partial<UniverseResult>
  /** A load waits for this before it is done. */
  onLoad?: () => Promise<void>
  /** The work of a publication; `isLast`: the one with the verdict. */
  onPublish?: (isLast: boolean) => void
}

/** A ledger and a source in memory, with the names and errors of the real activities. */
export interface FakeWarehouse {
  activities: { fetch: FetchActivities; load: StoreActivities }
  asks: Ask[]
  /** Ordinals by load. */
  loads: number[][]
  failures: SliceFailure[]
  /** How coins were chosen, in order: each look at a listing, each choice frozen, and the plan. */
  choices: string[]
  /** Activities of the run's end, in order. */
  ending: string[]
}

/** Slices of a batch that are under way at once. */
const AT_ONCE = 4
/** Slices that come with the plan: the others are looked for. */
const FIRST_LOOK = 256

export const staged: Answer = { kind: 'staged', rows: 10 }

/** Nothing but what the workflows see: who asks what, when, and how often. */
export function fakeWarehouse(options: FakeWarehouseOptions): FakeWarehouse {
  const { answer = () => staged, universes = [], choose = () => ({}), onLoad, onPublish } = options
  const slices = Array.from({ length: options.slices }, (_, ordinal) => plannedSlice(ordinal))
  const asks: Ask[] = []
  const loads: number[][] = []
  const failures: SliceFailure[] = []
  const choices: string[] = []
  const ending: string[] = []
  const ended = (): Set<number> =>
    new Set([...loads.flat(), ...failures.map(({ ordinal }) => ordinal)])

  let batches = 0
  async function fetchOne(
    slice: BatchSlice,
    result: FetchBatchResult,
    { batch, mayUseReserve, isOver }: { batch: number; mayUseReserve: boolean; isOver: boolean },
  ): Promise<SliceOutcome> {
    const { ordinal, begun = NOT_BEGUN } = slice
    const left = { ordinal, state: 'left', begun, notBeforeMs: 0 } as const
    if (isOver || result.waitUntilMs > 0 || result.fatal !== null) return left
    const before = asks.filter((ask) => ask.ordinal === ordinal).length
    const ask = { ordinal, begun: slice.begun, before, atMs: Date.now(), batch, mayUseReserve }
    asks.push(ask)
    result.calls += 1
    try {
      const said = await answer(ask)
      if (said.kind === 'throttled') {
        result.throttled += 1
        result.waitUntilMs = said.untilMs
        return left
      }
      if (said.kind === 'left') {
        return { ...left, begun: { ...begun, ...said.begun }, notBeforeMs: said.notBeforeMs }
      }
      result.pages += 1
      result.bytes += 1_000
      return { ordinal, state: 'staged', rows: said.rows }
    } catch (error) {
      const failure = failureFactsOf(error)
      const fatal = fatalCauseOf(failure)
      if (fatal === null) {
        return { ordinal, state: 'failed', code: failure.code, reason: failure.reason }
      }
      result.fatal ??= fatal
      return left
    }
  }
  function look({ after, limit }: { after: number; limit: number }): NextSlicesResult {
    const gone = ended()
    const left = slices.filter(({ ordinal }) => ordinal > after && !gone.has(ordinal))
    return { slices: left.slice(0, limit), isEnd: left.length <= limit }
  }

  function report(input: ReportRunInput): RunReport {
    ending.push('report')
    const counts = { planned: slices.length, loaded: loads.flat().length, failed: failures.length }
    const missing = counts.planned - counts.loaded - counts.failed
    const rows = counts.loaded * 10
    return runReport({
      ...input,
      calls: asks.length,
      rows,
      slices: sliceCounts({ ...counts, missing }),
    })
  }

  const fetch: FetchActivities = {
    fetchBatch: asActivity(async ({ slices: dealt, mayUseReserve }, stopped) => {
      const news = { calls: 0, waitUntilMs: 0, fatal: null, lostKeys: [] }
      const result: FetchBatchResult = { ...news, outcomes: [], pages: 0, bytes: 0, throttled: 0 }
      const batch = batches++
      result.outcomes = await pLimit(AT_ONCE).map(dealt, (slice) =>
        fetchOne(slice, result, { batch, mayUseReserve, isOver: stopped.aborted }),
      )
      return result
    }),
    fetchUniverse: asActivity(async (input) => {
      choices.push(`${input.selector} with ${input.tries} tries`)
      const come = { calls: 1, waitUntilMs: 0, fatal: null, lostKeys: [] }
      return { ...come, isWhole: true, tries: 0, notBeforeMs: 0, ...choose(input) }
    }),
  }
  const load: StoreActivities = {
    openWindow: asActivity(async ({ templateId: orderId, scheduledMs: windowMs }) => ({
      orderId,
      workflowsId: '',
      windowMs,
    })),
    planRun: asActivity(async () => {
      const open = universes.filter((selector) => !choices.includes(`${selector} frozen`))
      if (open.length > 0) {
        return { universes: open, plan: null, first: { slices: [], isEnd: true } }
      }
      choices.push('planned')
      const plan = { slices: slices.length, pages: slices.length }
      return { universes: [], plan, first: look({ after: -1, limit: FIRST_LOOK }) }
    }),
    freezeUniverse: asActivity(async ({ selector }) => void choices.push(`${selector} frozen`)),
    nextSlices: asActivity(async (at) => look(at)),
    loadSlices: asActivity(async ({ ordinals }) => {
      await onLoad?.()
      const gone = ended()
      const claimed = ordinals.filter((ordinal) => !gone.has(ordinal))
      loads.push(claimed)
      return { slices: claimed.length, rows: claimed.length * 10, notStaged: [] }
    }),
    failSlices: asActivity(async (input) => void failures.push(...input.failures)),
    publishRun: asActivity(async () => {
      ending.push('publish what is there')
      onPublish?.(false)
      return []
    }),
    endRun: asActivity(async ({ cancelled, mayPublish, ...run }) => {
      ending.push('verify')
      if (mayPublish) {
        ending.push('publish')
        onPublish?.(true)
      }
      const isAllIn = loads.flat().length === slices.length
      const verdict = isAllIn ? 'complete' : cancelled ? 'cancelled' : 'partial'
      return report({ ...run, verdict: run.fatal === null ? verdict : 'failed', publications: [] })
    }),
    reportRun: asActivity(async (input) => report(input)),
  }
  return { activities: { fetch, load }, asks, loads, failures, choices, ending }
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
