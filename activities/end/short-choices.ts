import type { StoreDeps } from '../activity-deps.ts'
import type { ShortChoice } from '../run-report.ts'
import { selectorFrom } from '../plan/selector-from.ts'

/** Of these selectors those that want more coins than the source listed when they were chosen. */
export async function shortChoices(
  { store }: Pick<StoreDeps, 'store'>,
  selectors: readonly string[],
): Promise<{ shortChoices?: ShortChoice[] }> {
  const short: ShortChoice[] = []
  for (const selector of selectors) {
    const choice = selectorFrom(selector)
    const chosen = (await store.universe(selector))?.length ?? 0
    if (!('top' in choice) || chosen === 0 || chosen >= choice.top) continue
    short.push({ selector, wanted: choice.top, chosen })
  }
  return short.length === 0 ? {} : { shortChoices: short }
}
