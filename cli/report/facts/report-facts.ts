import type { Config } from '../../../config/config.ts'
import { CoinlakeError } from '../../../config/coinlake-error.ts'
import { ConfigError } from '../../../config/config-error.ts'
import { wantedFromConfig } from '../../../config/wanted.ts'
import { pathsOf, type WarehousePaths } from '../../../config/warehouse-paths.ts'
import { datasets } from '../../../datasets/index.ts'
import type { Effects } from '../../effects.ts'
import { survivorshipLines } from '../../../plan/survivorship.ts'
import { gapsIn } from '../../gaps/look-for-gaps.ts'
import { requireSameSource } from '../../ledger/same-source.ts'
import { gonePublications } from '../../query/gone-publications.ts'
import { coinlakeVersion } from '../../version.ts'
import { budgetFacts, type BudgetFacts } from './budget-facts.ts'
import { coverageFacts, type CoverageFacts } from './coverage-facts.ts'
import { freshnessFacts, type Freshness } from '../../freshness/freshness-facts.ts'
import { gapFacts, type GapFacts } from './gap-facts.ts'
import { priceFacts, type CoinChoice, type PriceFacts } from './price-facts.ts'
import { quarantineFacts, type QuarantineFacts } from './quarantine-facts.ts'
import { openReportSources, type ReportSources } from './report-sources.ts'
import { revisionFacts, type RevisionFacts } from './revision-facts.ts'
import { runFacts, type RunFacts } from './run-facts.ts'
import { verdictFacts, type VerdictFacts } from './verdict-facts.ts'
import { withOpen } from '../../run/closing-after.ts'

/**
 * All facts of a report: the page draws them, `--json` prints them. Times are ISO texts in UTC, durations are
 * milliseconds. Within one `format` fields are only added.
 */
export interface ReportFacts {
  format: 1
  /** By coinlake's clock, which COINLAKE_NOW may set. */
  madeAt: string
  coinlakeVersion: string
  warehouse: string
  /** The read place: the store, the ledger of a publication, or none. */
  source: 'store' | 'publication' | 'none'
  /** One sentence for each place that was not read, or is behind. */
  notes: string[]
  verdict: VerdictFacts
  run: RunFacts
  coverage: CoverageFacts
  /** null = the wanted data are not configured, or there is no ledger. */
  gaps: GapFacts | null
  quarantine: QuarantineFacts
  revisions: RevisionFacts
  budget: BudgetFacts
  freshness: Freshness[]
  /** null = no price is published. */
  prices: PriceFacts | null
}

export interface ReportChoice extends CoinChoice {
  /** null = the last one. */
  runId: string | null
}

/**
 * Gathers the facts. Fetches nothing and changes nothing.
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
  return await withOpen(openReportSources(paths, clock), async (sources) => {
    const { ledger, published } = sources
    await requireSameSource(config, ledger)
    const run = await runFacts(paths, { named: choice.runId, isHeld: sources.isHeld })
    const nowMs = clock.nowMs()
    const wanted = await lookForWanted(sources, config, nowMs)
    const { gaps } = wanted
    const { gone, note: goneNote } = await lookForGone(paths, config)
    // Without a named run the calls are those of all runs.
    const budget = await budgetFacts(ledger, config, choice.runId)
    const freshness = await freshnessFacts(sources.tables, { config, nowMs })
    const quarantine = await quarantineFacts(ledger)
    const found = gaps === null ? null : gapFacts(gaps)
    const warehouse = paths.root
    const prices = published === null ? null : await priceFacts(published, config, choice)
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
      coverage: await coverageFacts(ledger, gaps?.intervals ?? null, nowMs),
      gaps: found,
      quarantine,
      revisions: await revisionFacts(ledger),
      budget,
      freshness,
      prices,
    }
  })
}

/** The gaps of the wanted data. A configuration that leaves these to flags is no error here. */
async function lookForWanted({ ledger }: ReportSources, config: Config, nowMs: number) {
  const unknown = { gaps: null, survivorship: [] }
  if (ledger.source === 'none' && ledger.note !== null) return { ...unknown, note: null }
  const clock = { nowMs: () => nowMs }
  try {
    const wanted = wantedFromConfig(config, datasets, clock)
    const survivorship = survivorshipLines(wanted, datasets)
    return { gaps: await gapsIn(ledger, { config, wanted, clock }), note: null, survivorship }
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    const note = `${error.message}: so gaps are not known, and coverage is that of fetched data`
    return { ...unknown, note }
  }
}

/** Publications that are gone. An unreadable place must not stop the report. */
async function lookForGone(paths: WarehousePaths, { sinks }: Config) {
  try {
    return { gone: await gonePublications(paths, sinks), note: null }
  } catch (error) {
    if (!(error instanceof Error)) throw error
    const hint = error instanceof CoinlakeError ? ` (${error.hint})` : ''
    return { gone: [], note: `${error.message}${hint}` }
  }
}
