import { DAY_MS } from '../../../config/values/duration.ts'
import type { Dataset, PageContext, Slice } from '../../../datasets/dataset.ts'
import { datasetsOf, type PlacedBody } from '../../proof/asked-names.ts'
import { wholeParams } from '../../proof/served-again.ts'
import { pageOf, stepsOf } from '../context.ts'
import type { Warehouse } from '../warehouse.ts'

/** When nothing in a body says what time it is. */
const ANY_TIME_MS = Date.UTC(2026, 5, 1, 12, 34, 56)

/** When a recorded body or a variation can be asked for. */
export function askedAtMs({ clock }: PlacedBody): number {
  return Number.isFinite(clock.earliestMs) ? clock.earliestMs : ANY_TIME_MS
}

/** The datasets that a body fills, each with its page as if just fetched, in a slice wide enough for everything. */
export function placedPages(body: PlacedBody): { dataset: Dataset; context: PageContext }[] {
  return datasetsOf(body).map((dataset) => ({ dataset, context: contextOf(dataset, body) }))
}

/** The answer of the service to a request for a whole body that was loaded, then or later. */
export function answerAgain(
  warehouse: Warehouse,
  body: PlacedBody,
  json: unknown,
  afterMs = 0,
): unknown {
  const nowMs = askedAtMs(body) + afterMs
  return warehouse.answer(body.operation, wholeParams(body, nowMs, json), nowMs)
}

function contextOf(dataset: Dataset, body: PlacedBody): PageContext {
  const nowMs = askedAtMs(body)
  const fromMs = body.date === '' ? 0 : Date.parse(body.date)
  const slice: Partial<Slice> = {
    entity: dataset.entity === null ? '' : body.entity,
    vsCurrency: dataset.perCurrency ? body.vsCurrency : '',
    granularity: body.granularity,
    fromMs,
    toMs: body.date === '' ? nowMs + 1 : fromMs + DAY_MS,
  }
  const steps = stepsOf(dataset, slice, { nowMs })
  const place = steps.findIndex(({ operation }) => operation === body.operation)
  return pageOf(dataset, slice, { stepIndex: Math.max(0, place), nowMs })
}
