import type { Dataset, PageContext, Slice } from '../../datasets/dataset.ts'

/** When pages are fetched and answers asked for, unless a test says otherwise. */
export const NOW_MS = Date.UTC(2030, 0, 1)

/** A page of a dataset as if just fetched, with a slice wide enough for everything. */
export function pageOf(
  dataset: Dataset,
  slice: Partial<Slice> = {},
  page: Partial<PageContext> = {},
): PageContext {
  const nowMs = page.nowMs ?? NOW_MS
  const whole: Slice = {
    dataset: dataset.name,
    entity: '',
    vsCurrency: '',
    granularity: '',
    fromMs: 0,
    toMs: nowMs + 1,
    ...slice,
  }
  const stepIndex = page.stepIndex ?? 0
  const steps = dataset.steps(whole, { nowMs, attempt: 1, maxHistoryDays: null })
  const step = steps[stepIndex]!
  const { to } = step.params
  // The first of several requests for a long slice is taken for one that asked for all of it.
  const params = to === undefined ? step.params : { ...step.params, to: String(whole.toMs / 1000) }
  return {
    slice: whole,
    step: { ...step, params },
    stepIndex,
    page: 1,
    itemsBefore: ((page.page ?? 1) - 1) * step.perPage,
    observedAtMs: nowMs,
    nowMs,
    ...page,
  }
}
