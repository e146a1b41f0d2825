import { DAY_MS, SECOND_MS } from '../../config/values/duration.ts'
import { singleStep } from '../request/steps.ts'
import { floorTo } from '../../api/granularity.ts'
import type { OperationId } from '../../api/operations.ts'
import type { ParamValues } from '../../api/operations/describe-operation.ts'
import type { ChartSubject } from './chart-subject.ts'
import type { RequestStep, Slice, StepContext } from '../dataset.ts'

/**
 * The widths of both attempts. The source gives hourly points for 2 to 90 days, and daily ones above 90. Sources may
 * count differently at these bounds, so attempt 2 keeps away from them.
 */
const WIDTHS = {
  '1h': [
    { minMs: 2 * DAY_MS, maxMs: 90 * DAY_MS },
    { minMs: 30 * DAY_MS, maxMs: 45 * DAY_MS },
  ],
  '1d': [
    { minMs: 91 * DAY_MS, maxMs: Infinity },
    { minMs: 180 * DAY_MS, maxMs: Infinity },
  ],
}

/**
 * The requests that answer a slice of a chart. Bounds are whole seconds, both inclusive. Points outside the slice are
 * removed later. A slice that is too long for one request is requested in equal parts.
 */
export function chartSteps(
  subject: ChartSubject,
  slice: Slice,
  context: StepContext,
): RequestStep[] {
  const { days, range } = subject.operations
  const named = { ...subject.paramsOfEntity(slice.entity), vs_currency: slice.vsCurrency }
  const step = (operation: OperationId, params: ParamValues): RequestStep =>
    singleStep(operation, { ...named, ...params })

  if (slice.granularity === '5m') {
    // Only this request has 5-minute points, always of the last 24 hours.
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
 * Widens a request to `minMs`. The right bound moves first, up to now, because a strict service refuses later times.
 * Then the left bound moves to the start of a step, at most as far as the key's plan reaches. A simple service counts
 * its points from this bound.
 */
function widen(
  { fromMs, toMs }: Pick<Slice, 'fromMs' | 'toMs'>,
  minMs: number,
  granularity: '1h' | '1d',
  context: StepContext,
): Pick<Slice, 'fromMs' | 'toMs'> {
  const nowMs = Math.floor(context.nowMs / SECOND_MS) * SECOND_MS
  const reachMs = (context.maxHistoryDays ?? Infinity) * DAY_MS
  const earliestMs = Math.max(0, Math.ceil((context.nowMs - reachMs) / SECOND_MS) * SECOND_MS)
  const isAhead = toMs > context.nowMs + SECOND_MS && fromMs < nowMs
  const rightMs = Math.max(isAhead ? nowMs : toMs, Math.min(fromMs + minMs, nowMs))
  const leftMs = Math.max(floorTo(rightMs - minMs, granularity), earliestMs)
  return { fromMs: Math.min(fromMs, leftMs), toMs: rightMs }
}
