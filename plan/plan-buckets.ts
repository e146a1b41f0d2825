import type { Dataset, Slice } from '../datasets/dataset.ts'
import type { CoverageIndex } from './coverage-index.ts'
import { bucketAt, dividesEvery, everyOf } from './every.ts'
import type { WantedDataset } from './order.ts'

/** Longest csv of ids. A URL has up to three times as many characters, and servers refuse lines beyond 8 kB. */
const MAX_CSV_CHARS = 2_000

/**
 * Plans snapshots and catalogues: the current UTC bucket of `every` for each entity and currency that lacks it. Today's
 * values never fill an earlier bucket. A snapshot of a shorter `every` also covers the longer bucket around it.
 *
 * A slice may carry several ids (`entitiesPerSlice`). Coverage counts per id, so a new coin in the config asks for that
 * coin only. A snapshot of the whole market ('') covers every coin. Currencies that lack the same ids share a slice.
 */
export function planBuckets(work: {
  wanted: WantedDataset
  dataset: Dataset
  entities: readonly string[]
  index: CoverageIndex
  nowMs: number
  /** true: the caller wants the state of this `every`, so a shorter one covers no bucket. */
  isStateWanted: boolean
}): Slice[] {
  const { wanted, dataset, entities, index, nowMs, isStateWanted } = work
  const { everyMs } = wanted
  const granularity = everyOf(wanted)
  const bucket = bucketAt(nowMs, everyMs)
  const perSlice = dataset.entitiesPerSlice ?? 1
  const coveredOf = (vsCurrency: string): Set<string> => {
    const counted = index
      .overlapping({ dataset: dataset.name, vsCurrency }, bucket)
      .filter((one) =>
        isStateWanted ? one.granularity === granularity : dividesEvery(one.granularity, everyMs),
      )
    return new Set(counted.map(({ entity }) => entity))
  }
  const missingOf = (vsCurrency: string): string[] => {
    const covered = coveredOf(vsCurrency)
    const missing = [...new Set(entities)].filter((entity) => !covered.has(entity))
    if (perSlice === 1) return missing
    const present = new Set([...covered].flatMap((csv) => csv.split(',')))
    if (present.has('')) return []
    if (missing.includes('')) return ['']
    const ids = missing.filter((id) => !present.has(id))
    const groups = Map.groupBy(ids, (id) => dataset.sliceGroup?.(id) ?? '')
    return [...groups.values()].flatMap((group) => csvTexts(group, perSlice))
  }
  const shared = { dataset: dataset.name, granularity, ...bucket }
  const groups = groupCurrencies(wanted.vsCurrencies, missingOf, dataset.currenciesPerSlice ?? 1)
  return groups.flatMap(([vsCurrency, missing]) =>
    missing.map((entity) => ({ ...shared, entity, vsCurrency })),
  )
}

/** Groups currencies that lack the same ids: csv texts of at most `perSlice`, each with these ids. */
function groupCurrencies(
  vsCurrencies: readonly string[],
  missingOf: (vsCurrency: string) => string[],
  perSlice: number,
): [string, string[]][] {
  const lacking = vsCurrencies.map((vsCurrency) => [vsCurrency, missingOf(vsCurrency)] as const)
  if (perSlice === 1) return lacking.map(([vsCurrency, missing]) => [vsCurrency, missing])
  const groups = Map.groupBy(lacking, ([, missing]) => JSON.stringify(missing))
  return [...groups.values()].flatMap((group) =>
    csvTexts(
      group.map(([vsCurrency]) => vsCurrency),
      perSlice,
    ).map((csv): [string, string[]] => [csv, group[0]![1]]),
  )
}

/** Joins ids in their order into as few csv texts as possible. */
function csvTexts(ids: readonly string[], perSlice: number): string[] {
  const texts: string[] = []
  let open: string[] = []
  let chars = 0
  for (const id of ids) {
    if (open.length === perSlice || (open.length > 0 && chars + id.length > MAX_CSV_CHARS)) {
      texts.push(open.join(','))
      open = []
      chars = 0
    }
    open.push(id)
    chars += id.length + 1
  }
  if (open.length > 0) texts.push(open.join(','))
  return texts
}
