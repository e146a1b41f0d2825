import { singleStep } from '../request/single-step.ts'
import { DAY_MS, floorTo } from '../../api/granularity.ts'
import type { OperationId, ParamValues } from '../../api/operation.ts'
import type { ChartSubject } from './chart-subject.ts'
import type { RequestStep, Slice, StepContext } from '../dataset.ts'

/** How wide a request must be for its granularity, in ms, and how wide the second attempt makes it. */
interface Widths {
  minMs: number
  maxMs: number
}

/**
 * Attempt 1 asks for the least that the rule of the source gives (hourly: 2 to 90 days inclusive;
 * daily: above 90). Attempt 2 aims for the middle of the rule, away from both edges, because it is at
 * the edges that a source may count otherwise: hourly in 30 to 45 days, daily in half a year or more.
 */
const WIDTHS: Readonly<Record<'1h' | '1d', readonly [Widths, Widths]>> = {
  '1h': [
    { minMs: 2 * DAY_MS, maxMs: 90 * DAY_MS },
    { minMs: 30 * DAY_MS, maxMs: 45 * DAY_MS },
  ],
  '1d': [
    { minMs: 91 * DAY_MS, maxMs: Infinity },
    { minMs: 180 * DAY_MS, maxMs: Infinity },
  ],
}

interface Interval {
  fromMs: number
  toMs: number
}

const SECOND_MS = 1000

/**
 * The requests that answer a slice of a chart. Bounds are whole seconds, inclusive at both ends;
 * what falls outside the slice is cut away afterwards. A slice longer than one request may be (bounds
 * that are no whole seconds, or attempt 2) is asked in equal parts.
 */
export function chartSteps(
  subject: ChartSubject,
  slice: Slice,
  context: StepContext,
): RequestStep[] {
  const { days, range } = subject.operations
  const named = { ...subject.params(slice.entity), vs_currency: slice.vsCurrency }
  const step = (operation: OperationId, params: ParamValues): RequestStep =>
    singleStep(operation, { ...named, ...params })

  if (slice.granularity === '5m') {
    // Only this request has 5-minute points: it reaches 24 hours back from now, whatever the slice.
    return [step(days, { days: '1' })]
  }
  const granularity = slice.granularity === '1h' ? '1h' : '1d'
  const widths = WIDTHS[granularity][context.attempt - 1]!
  const fromMs = Math.floor(slice.fromMs / SECOND_MS) * SECOND_MS
  const toMs = Math.ceil(slice.toMs / SECOND_MS) * SECOND_MS
  const parts = Math.max(1, Math.ceil((toMs - fromMs) / widths.maxMs))
  const partMs = Math.ceil((toMs - fromMs) / parts / SECOND_MS) * SECOND_MS
  return Array.from({ length: parts }, (_, part) => {
    const startMs = fromMs + part * partMs
    const asked = { fromMs: startMs, toMs: Math.min(startMs + partMs, toMs) }
    const window = widen(asked, widths.minMs, granularity, context)
    return step(range, {
      from: String(window.fromMs / SECOND_MS),
      to: String(window.toMs / SECOND_MS),
    })
  })
}

/**
 * First to the right up to now, then to the left as far as the key's plan reaches. Nothing later than
 * now is asked for, because nobody knows it and a strict service refuses it. On the left a whole step
 * begins, because the grid of a simple service begins where the question does.
 */
function widen(
  { fromMs, toMs }: Interval,
  minMs: number,
  granularity: '1h' | '1d',
  context: StepContext,
): Interval {
  const nowMs = Math.floor(context.nowMs / SECOND_MS) * SECOND_MS
  const reachMs = (context.maxHistoryDays ?? Infinity) * DAY_MS
  const earliestMs = Math.max(0, Math.ceil((context.nowMs - reachMs) / SECOND_MS) * SECOND_MS)
  const isAhead = toMs > context.nowMs + SECOND_MS && fromMs < nowMs
  const rightMs = Math.max(isAhead ? nowMs : toMs, Math.min(fromMs + minMs, nowMs))
  const leftMs = Math.max(floorTo(rightMs - minMs, granularity), earliestMs)
  return { fromMs: Math.min(fromMs, leftMs), toMs: rightMs }
}
