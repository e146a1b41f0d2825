import { selectorText } from '../../config/values/coin-selector.ts'
import { datasets } from '../../datasets/index.ts'
import type { Slice } from '../../datasets/dataset.ts'
import { type Covered, seriesKey } from '../../plan/covered.ts'
import { expectedPages } from '../../plan/price.ts'
import { planSlices, type SlicePlan } from '../../plan/plan-slices.ts'
import { selectorOf, type Order } from '../../plan/order.ts'
import { SinkError } from '../../sinks/sink-error.ts'
import type { Store } from '../../sinks/duckdb-store/open-store.ts'
import type { StoreDeps } from '../activity-deps.ts'
import type { PlanResult, PlanRunInput, PlanRunResult } from '../activity-types.ts'
import { slicesOfRemovedDatasets, isKnownDataset } from './removed-datasets.ts'
import { stagedUniverse } from '../fetch/fetch-universe.ts'
import { readOrder } from './order-file.ts'
import { nextSlices } from './next-slices.ts'
import { skipRepeatedFailures } from './skip-repeated-failures.ts'
import { selectorFrom } from './selector-from.ts'
import { quoteText } from '../../datasets/table/ddl.ts'
import { keepUniverse } from '../../stage/universe-files.ts'

/** Most slices returned with the plan. The rest is read from the ledger later. */
const FIRST_SLICES = 256

/**
 * Removes leftovers of killed processes and writes the plan into the ledger. If coins must be chosen first, returns
 * their selectors instead. A second call for the same run changes nothing.
 */
export async function planRun(deps: StoreDeps, input: PlanRunInput): Promise<PlanRunResult> {
  await deps.stage.sweep()
  const order = await readOrder(deps.ordersDir, input.orderId)
  const selectors = selectorsOf(order.wanted)
  // Before the first request: coins that an older coinlake chose are not in the stage yet.
  await stageChosenCoins(deps, selectors)
  const found = await planFor(order, { ...deps, openPlans: () => openPlansOf(deps, input.runId) })
  const universes = found.pendingUniverses.map(selectorText)
  if (universes.length > 0) return { universes, plan: null, first: { slices: [], isEnd: true } }
  const plan = await recordPlan(deps, order, found, input)
  const first = await nextSlices(deps, { runId: input.runId, after: -1, limit: FIRST_SLICES })
  return { universes, plan, first }
}

/** Chooses the coins of a selector from the staged listing. Later runs keep the choice. */
export async function freezeUniverse(deps: StoreDeps, input: { selector: string }): Promise<void> {
  const nowMs = deps.clock.nowMs()
  const { selector: text } = input
  const selector = selectorFrom(text)
  const coinIds = await stagedUniverse(deps.stage, selector, nowMs)
  if (coinIds === null || coinIds.length === 0) {
    throw new SinkError(`the stage does not have the whole listing for ${text}`, {
      code: 'UNIVERSE_NOT_STAGED',
      hint: 'Run the same command again: the listing is fetched anew.',
    })
  }
  await deps.store.freezeUniverse(text, coinIds, nowMs)
  await stageChosenCoins(deps, [text])
}

async function recordPlan(
  deps: StoreDeps,
  order: Order,
  plan: OwnPlan,
  { runId, orderId, schedule, windowMs }: PlanRunInput,
): Promise<PlanResult> {
  const nowMs = deps.clock.nowMs()
  const removed = slicesOfRemovedDatasets(order, nowMs)
  const sliceCount = await deps.store.writePlan(
    {
      runId,
      orderId,
      startedAtMs: Date.now(),
      coinlakeVersion: deps.coinlakeVersion,
      purpose: order.refetch === true ? 'refetch' : null,
      ...(schedule === undefined ? {} : { schedule }),
      ...(windowMs === undefined ? {} : { windowMs }),
      leftToOthers: plan.leftToOthers,
    },
    [...plan.slices, ...removed],
  )
  // Only scheduled runs skip slices that keep failing.
  const asked =
    schedule === undefined ? plan.slices : await skipRepeatedFailures(deps, runId, plan.slices)
  const context = { nowMs, attempt: 1, maxHistoryDays: deps.config.source.maxHistoryDays } as const
  const pages = expectedPages(asked, datasets, context, await deps.store.knownListings())
  const skipped = plan.slices.length - asked.length
  return { slices: sliceCount - skipped, pages: pages + removed.length }
}

/** The selectors of an order, each once, as the configuration writes them. */
export function selectorsOf(wanted: Order['wanted']): string[] {
  const selectors = wanted.flatMap((one) => {
    const selector = selectorOf(one)
    return selector === null ? [] : [selectorText(selector)]
  })
  return [...new Set(selectors)]
}

/**
 * The slices that an order still needs: wanted, not covered, and not planned by another open run. Removed datasets are
 * left out (removed-datasets.ts).
 *
 * @param endingRun the run that is ending. Ids that the source did not know in it are left out too; null = none
 */
export async function planFor(
  order: Order,
  deps: PlanDeps,
  endingRun: string | null = null,
): Promise<OwnPlan> {
  const bucketNowMs = deps.clock.nowMs()
  const nowMs = order.asOfMs ?? bucketNowMs
  const supported = order.wanted.filter(isKnownDataset)
  const universes: Record<string, string[]> = {}
  for (const selector of selectorsOf(supported)) {
    const chosen = await deps.store.universe(selector)
    if (chosen !== null) universes[selector] = chosen
  }
  const covered = order.refetch === true ? [] : await deps.store.covered(nowMs)
  const planned = order.refetch === true ? [] : ((await deps.openPlans?.()) ?? [])
  const input = {
    wanted: supported,
    nowMs,
    bucketNowMs,
    datasets,
    maxHistoryDays: deps.config.source.maxHistoryDays,
    universes,
    unknown: order.refetch === true ? [] : await deps.store.unknownEntities(endingRun),
  }
  const plan = planSlices({ ...input, covered: [...covered, ...planned] })
  if (planned.length === 0) return { ...plan, leftToOthers: 0 }
  const alone = planSlices({ ...input, covered })
  const bySeries = Map.groupBy(planned, seriesKey)
  const isShared = (slice: Slice): boolean =>
    (bySeries.get(seriesKey(slice)) ?? []).some(
      ({ fromMs, toMs }) => fromMs < slice.toMs && slice.fromMs < toMs,
    )
  return { ...plan, leftToOthers: alone.slices.filter(isShared).length }
}

/** A plan beside those of other open runs. */
interface OwnPlan extends SlicePlan {
  /** Slices that this run would plan if alone, but that others have planned, wholly or in part. */
  leftToOthers: number
}

type PlanDeps = Pick<StoreDeps, 'clock' | 'config'> & {
  store: Pick<Store, 'covered' | 'universe' | 'unknownEntities'>
  /** Reads the slices that other open runs have planned; absent = no other run. */
  openPlans?: () => Promise<Covered[]>
}

/**
 * Slices that other open runs have planned. Plans are made one at a time, so no plan misses another. A killed run, or one
 * cancelled without a worker, wrote no end: it gets its verdict here.
 */
async function openPlansOf({ store, otherRuns }: StoreDeps, ownRun: string): Promise<Covered[]> {
  if (otherRuns === undefined) return []
  // A repeated call finds its own run in the ledger: its slices must not count as planned by others.
  const others = (await store.unfinishedRuns()).filter(({ runId }) => runId !== ownRun)
  const open = await otherRuns.stillOpen(others)
  for (const { runId } of others) {
    if (!open.includes(runId)) await store.finishRun(runId, 'cancelled', null)
  }
  return store.plannedBy(open)
}

/** Copies the chosen coins of selectors from the ledger into the stage, where `restore` finds them. */
async function stageChosenCoins(
  { store, stageDir }: Pick<StoreDeps, 'store' | 'stageDir'>,
  selectors: readonly string[],
): Promise<void> {
  for (const selector of selectors) {
    const rows = await store.query(
      `SELECT coin_id, epoch_ms(chosen_at) AS chosen_ms FROM _universes
       WHERE selector = ${quoteText(selector)} ORDER BY rank`,
    )
    if (rows.length === 0) continue
    const coinIds = rows.map((row) => String(row['coin_id']))
    await keepUniverse(stageDir, { selector, coinIds, chosenAtMs: Number(rows[0]!['chosen_ms']) })
  }
}
