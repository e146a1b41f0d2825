import type { Store } from '../../sinks/duckdb-store/open-store.ts'
import type { DatasetTotals } from '../../sinks/store.ts'
import type { ReportRunInput } from '../activity-types.ts'
import type { WaitingSlices } from '../run-report.ts'
import { cutText } from '../cut-text.ts'

const MAX_ENTITY_CHARS = 60
/** Planned slices read at once to find the first of each dataset. */
const LOOK = 1_000

/** The slices that a run left planned until a known time; no field for other runs. */
export async function waitingSlices(
  { store }: { store: Pick<Store, 'nextSlices'> },
  { runId, fatal }: Pick<ReportRunInput, 'runId' | 'fatal'>,
  totals: readonly DatasetTotals[],
): Promise<{ waiting?: WaitingSlices }> {
  if (fatal?.untilMs === undefined) return {}
  const missing = totals.filter((one) => one.missing > 0)
  const firsts = new Map<string, string>()
  let after = -1
  while (firsts.size < missing.length) {
    const found = await store.nextSlices({ runId, after, limit: LOOK })
    for (const { dataset, entity, vsCurrency, granularity, fromMs, toMs } of found) {
      if (firsts.has(dataset)) continue
      const series = [cutText(entity, MAX_ENTITY_CHARS), vsCurrency, granularity]
      const range = `[${day(fromMs)}, ${day(toMs)})`
      firsts.set(dataset, [...series.filter((part) => part !== ''), range].join(' '))
    }
    const last = found.at(-1)
    if (last === undefined) break
    after = last.ordinal
  }
  const waiting = {
    untilAt: new Date(fatal.untilMs).toISOString(),
    slices: missing.reduce((sum, one) => sum + one.missing, 0),
    datasets: missing.map((one) => ({
      dataset: one.dataset,
      slices: one.missing,
      first: firsts.get(one.dataset) ?? '',
    })),
  }
  return { waiting }
}

function day(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10)
}
