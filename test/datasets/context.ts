import type {
  Dataset,
  PageContext,
  RequestStep,
  Slice,
  StepContext,
} from '../../datasets/dataset.ts'

/** When pages are fetched and answers asked for, unless a test says otherwise. */
export const NOW_MS = Date.UTC(2030, 0, 1)

/** A slice of a dataset wide enough for everything, unless told otherwise. */
export function sliceOf(dataset: Dataset, slice: Partial<Slice>, nowMs = NOW_MS): Slice {
  const everything = { entity: '', vsCurrency: '', granularity: '' as const, fromMs: 0 }
  return { dataset: dataset.name, ...everything, toMs: nowMs + 1, ...slice }
}

/** The requests that answer a slice, at the first attempt unless told otherwise. */
export function stepsOf(
  dataset: Dataset,
  slice: Partial<Slice>,
  context: Partial<StepContext> = {},
): readonly RequestStep[] {
  const { nowMs = NOW_MS } = context
  const first = { nowMs, attempt: 1, maxHistoryDays: null } as const
  return dataset.steps(sliceOf(dataset, slice, nowMs), { ...first, ...context })
}

/** Facts of a page, with its step and its place from 1. */
export type PageFacts = Partial<PageContext> & { stepIndex?: number; page?: number }

/** A page of a dataset as if just fetched. */
export function pageOf(
  dataset: Dataset,
  slice: Partial<Slice> = {},
  { stepIndex = 0, page = 1, ...facts }: PageFacts = {},
): PageContext {
  const { nowMs = NOW_MS } = facts
  const whole = sliceOf(dataset, slice, nowMs)
  const step = stepsOf(dataset, slice, { nowMs })[stepIndex]!
  const { to } = step.params
  // The first of several requests for a long slice is taken for one that asked for all of it.
  const params = to === undefined ? step.params : { ...step.params, to: String(whole.toMs / 1000) }
  return {
    slice: whole,
    step: { ...step, params },
    itemsBefore: (page - 1) * step.perPage,
    observedAtMs: nowMs,
    nowMs,
    ...facts,
  }
}
