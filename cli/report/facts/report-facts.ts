import type { Config } from '../../../config/config.ts'
import { CoinlakeError } from '../../../config/coinlake-error.ts'
import { ConfigError } from '../../../config/config-error.ts'
import { wantedFromConfig } from '../../../config/wanted.ts'
import { pathsOf } from '../../../config/warehouse-paths.ts'
import type { WarehousePaths } from '../../../config/warehouse-paths.ts'
import { datasets } from '../../../datasets/index.ts'
import type { Effects } from '../../effects.ts'
import { survivorshipLines } from '../../../plan/survivorship.ts'
import { gapsIn } from '../../gaps/look-for-gaps.ts'
import type { Gaps } from '../../gaps/look-for-gaps.ts'
import { requireSameSource } from '../../ledger/same-source.ts'
import { gonePublications } from '../../query/gone-publications.ts'
import type { GonePublication } from '../../query/gone-publications.ts'
import { coinlakeVersion } from '../../version.ts'
import { budgetFacts } from './budget-facts.ts'
import type { BudgetFacts } from './budget-facts.ts'
import { coverageFacts } from './coverage-facts.ts'
import type { CoverageFacts } from './coverage-facts.ts'
import { freshnessFacts } from '../../freshness/freshness-facts.ts'
import type { Freshness } from '../../freshness/freshness-facts.ts'
import { gapFacts } from './gap-facts.ts'
import type { GapFacts } from './gap-facts.ts'
import { priceFacts } from './price-facts.ts'
import type { CoinChoice, PriceFacts } from './price-facts.ts'
import { quarantineFacts } from './quarantine-facts.ts'
import type { QuarantineFacts } from './quarantine-facts.ts'
import { openReportSources } from './report-ledger.ts'
import type { ReportSources } from './report-ledger.ts'
import { revisionFacts } from './revision-facts.ts'
import type { RevisionFacts } from './revision-facts.ts'
import { runFacts } from './run-facts.ts'
import type { RunFacts } from './run-facts.ts'
import { verdictFacts } from './verdict-facts.ts'
import type { VerdictFacts } from './verdict-facts.ts'

/**
 * Everything a report says: the page draws it, `--json` prints it as it is. Times are ISO texts in UTC,
 * lengths of time milliseconds. Within one `format` fields are only added.
 */
export interface ReportFacts {
  format: 1
  /** By the clock of the warehouse's market. */
  madeAt: string
  coinlakeVersion: string
  warehouse: string
  /** The place that was read: the store, the ledger of a publication, or none. */
  source: 'store' | 'publication' | 'none'
  /** Places that could not be read, or are behind: a sentence each. */
  notes: string[]
  verdict: VerdictFacts
  run: RunFacts
  coverage: CoverageFacts
  /** null = the configuration does not say what is wanted, or there is no ledger to read. */
  gaps: GapFacts | null
  quarantine: QuarantineFacts
  revisions: RevisionFacts
  budget: BudgetFacts
  freshness: Freshness[]
  /** null = no price is published. */
  prices: PriceFacts | null
}

/** The options of a report. */
export interface ReportChoice extends CoinChoice {
  /** null = the last one. */
  runId: string | null
}

/**
 * Gathers the facts; fetches nothing and changes nothing.
 *
 * @throws ConfigError RUN_UNKNOWN, COIN_UNKNOWN, SOURCE_CHANGED
 * @throws SinkError, QueryError for files that are there and cannot be read
 */
export async function reportFacts(
  { clock }: Effects,
  config: Config,
  choice: ReportChoice,
): Promise<ReportFacts> {
  const paths = pathsOf(config)
  const sources = await openReportSources(paths, clock)
  const { ledger, published } = sources
  try {
    await requireSameSource(config, ledger)
    const run = await runFacts(paths, { named: choice.runId, isHeld: sources.isHeld })
    const nowMs = clock.nowMs()
    const wanted = await lookForWanted(sources, config, nowMs)
    const { gaps } = wanted
    const { gone, note: goneNote } = await lookForGone(paths, config)
    // Calls are those of all runs where none is named.
    const budget = await budgetFacts(ledger, config, choice.runId)
    const freshness = await freshnessFacts(sources.tables, { config, datasets, nowMs })
    const quarantine = await quarantineFacts(ledger)
    const found = gaps === null ? null : gapFacts(gaps, datasets)
    const warehouse = paths.root
    const prices = published === null ? null : await priceFacts(published, config, choice)
    if (published === null) refuseChoice(choice)
    return {
      format: 1,
      madeAt: new Date(nowMs).toISOString(),
      coinlakeVersion,
      warehouse,
      source: ledger.source,
      notes: [ledger.note, wanted.note, goneNote, ...wanted.survivorship].filter(
        (one) => one !== null,
      ),
      verdict: verdictFacts({ run, gaps: found, quarantine, freshness, gone, budget, warehouse }),
      run,
      coverage: await coverageFacts(ledger, {
        intervals: gaps === null ? null : gaps.intervals,
        datasets,
        nowMs,
      }),
      gaps: found,
      quarantine,
      revisions: await revisionFacts(ledger),
      budget,
      freshness,
      prices,
    }
  } finally {
    await sources.close()
  }
}

/** The gaps of the wanted data; a configuration that leaves that open (flags say it) is no error here. */
async function lookForWanted(
  { ledger }: ReportSources,
  config: Config,
  nowMs: number,
): Promise<{ gaps: Gaps | null; note: string | null; survivorship: string[] }> {
  const unknown = { gaps: null, survivorship: [] }
  if (ledger.source === 'none' && ledger.note !== null) return { ...unknown, note: null }
  const clock = { nowMs: () => nowMs }
  try {
    const wanted = wantedFromConfig(config, datasets, clock)
    const survivorship = survivorshipLines(wanted, datasets)
    return { gaps: await gapsIn(ledger, { config, wanted, clock }), note: null, survivorship }
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    const note = `${error.message}: so nothing is said of gaps, and coverage is that of what was asked for`
    return { ...unknown, note }
  }
}

/** Publications that are gone; a place that cannot be read must not stop the report. */
async function lookForGone(
  paths: WarehousePaths,
  { sinks }: Config,
): Promise<{ gone: GonePublication[]; note: string | null }> {
  try {
    return { gone: await gonePublications(paths, sinks), note: null }
  } catch (error) {
    if (!(error instanceof Error)) throw error
    const hint = error instanceof CoinlakeError ? ` (${error.hint})` : ''
    return { gone: [], note: `${error.message}${hint}` }
  }
}

function refuseChoice({ coinId, vsCurrency }: CoinChoice): void {
  if (coinId === null && vsCurrency === null) return
  throw new ConfigError('nothing is published, so there is no price to draw', {
    code: 'COIN_UNKNOWN',
    hint: 'Leave out --coin and --vs, or run `coinlake backfill` first.',
  })
}
