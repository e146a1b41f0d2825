import type { RunReport } from '../../../activities/run-report.ts'
import { datasetByName } from '../../../datasets/index.ts'
import { emptyDaysText } from '../../gaps/gaps-text.ts'
import { failureHint } from '../../render/failure-hint.ts'
import type { GonePublication } from '../../query/gone-publications.ts'
import { approximateDuration, count, counted, daysText } from '../../render/quantities.ts'
import type { BudgetFacts } from './budget-facts.ts'
import type { Freshness } from '../../freshness/freshness-facts.ts'
import type { GapFacts } from './gap-facts.ts'
import type { QuarantineFacts } from './quarantine-facts.ts'
import type { RunFacts } from './run-facts.ts'

export interface VerdictFacts {
  /**
   * - of the run: complete, partial, failed, cancelled, running, broken off, nothing yet
   * - of the present data: stale, incomplete
   */
  word: string
  level: 'good' | 'warn' | 'bad'
  /** Wanted days that no run can fetch. The verdict does not count them. */
  unreachableDays: number
  sentence: string
  problems: Problem[]
  next: NextStep[]
}

export interface Problem {
  code: string
  level: 'warn' | 'bad'
  text: string
}

export interface NextStep {
  /** null = no command helps. */
  command: string | null
  why: string
}

export interface VerdictInput {
  run: RunFacts
  gaps: GapFacts | null
  quarantine: QuarantineFacts
  freshness: readonly Freshness[]
  gone: readonly GonePublication[]
  budget: BudgetFacts
  warehouse: string
}

/** Causes that end a run, for the first line. Other causes are named by their code. */
const FATAL_TEXTS: Readonly<Record<string, string>> = {
  SOURCE_AUTH: 'the source refused the key',
  SOURCE_DOWN: 'the source was down',
  SOURCE_UNREACHABLE: 'the source could not be reached',
  SOURCE_NOT_A_SERVICE: 'something other than the service answered',
  MONTH_SPENT: "the month's calls are used up",
}
const STEP_WORDS: Readonly<Record<string, string>> = {
  '5m': '5-minute',
  '10m': '10-minute',
  '30m': '30-minute',
  '1h': 'hourly',
  '4h': '4-hour',
  '1d': 'daily',
  '4d': '4-day',
}

export function verdictFacts(input: VerdictInput): VerdictFacts {
  const { run, gaps, freshness } = input
  const { report, begun } = run
  const problems = problemsOf(input)
  const word = wordOf(input, problems)
  const level = problems.some((one) => one.level === 'bad')
    ? 'bad'
    : problems.length > 0 || report === null || begun !== null
      ? 'warn'
      : 'good'
  const newest = freshest(freshness)
  const unreachableDays = (gaps ?? report)?.unreachable.days ?? 0
  const lacking = unreachableDays === 0 ? '' : `, unreachable: ${daysText(unreachableDays)}`
  const parts = problems.map(({ text }) => text)
  if (parts.length === 0 && report !== null) {
    parts.push(wholeText(gaps, unreachableDays))
  }
  if (report === null && begun === null) {
    parts.unshift(
      isUntouched(input) ? `no run has ended in ${input.warehouse}` : 'no report of a run is here',
    )
  }
  if (problems.length === 0 && newest?.state === 'fresh') parts.push(newestText(newest))
  return {
    word,
    level,
    unreachableDays,
    sentence: `${word}${lacking}: ${parts.length === 0 ? 'no run has ended before' : parts.join(', ')}`,
    problems,
    next: nextSteps(input, problems),
  }
}

/** The reason of a verdict without problems. */
function wholeText(gaps: GapFacts | null, unreachableDays: number): string {
  const data = unreachableDays === 0 ? 'data that the source gave' : 'reachable data'
  if (gaps === null) return `the last run fetched all ${data}`
  const series = counted(gaps.series, 'series', 'series')
  const empty = emptyDaysText(gaps.summary)
  if (empty === null && unreachableDays === 0) return `all wanted data of ${series} are there`
  const lacking = empty === null ? '' : `, the source has ${empty}`
  return `all ${data} for ${series} are there${lacking}`
}

/** Whether no run was begun here and nothing is there. A copied published file has points, but no reports. */
function isUntouched({ run, freshness }: VerdictInput): boolean {
  const { report, begun } = run
  return report === null && begun === null && freshness.every(({ newestAt }) => newestAt === null)
}

function wordOf(input: VerdictInput, problems: readonly Problem[]): string {
  const { gaps } = input
  const { report, begun } = input.run
  if (begun !== null) return begun.state === 'going_on' ? 'running' : 'broken off'
  if (isUntouched(input)) return 'nothing yet'
  if (report !== null && report.verdict !== 'complete') return report.verdict
  // The run's own verdict shows neither a larger order nor later gaps.
  if (gaps !== null && (gaps.seriesWithHoles > 0 || gaps.pendingUniverses.length > 0))
    return 'incomplete'
  if (problems.some(({ code }) => code === 'ROWS_QUARANTINED' || code === 'PUBLICATION_GONE'))
    return 'incomplete'
  return problems.some(({ code }) => code === 'STALE') ? 'stale' : 'complete'
}

type Add = (code: string, level: Problem['level'], text: string) => void

function problemsOf(input: VerdictInput): Problem[] {
  const problems: Problem[] = []
  const add: Add = (code, level, text) => void problems.push({ code, level, text })
  if (input.run.report !== null) addOfRun(input.run.report, add)
  // Before the first run all data are missing, which is no problem.
  if (!isUntouched(input)) addOfPresent(input, add)
  for (const one of input.freshness) {
    if (one.state === 'stale') add('STALE', 'warn', newestText(one))
  }
  return problems
}

function addOfRun({ fatal, slices, lostKeys = [], waiting, absent }: RunReport, add: Add): void {
  const done = slices.loaded + slices.provisional + slices.empty
  if (fatal !== null) {
    const cause = FATAL_TEXTS[fatal.code] ?? `the run was ended by ${fatal.code}`
    const level = fatal.untilMs === undefined ? 'bad' : 'warn'
    const after =
      slices.planned === 0 ? '' : ` after ${count(done)} of ${counted(slices.planned, 'slice')}`
    add(fatal.code, level, `${cause}${after}`)
  }
  if (slices.failed > 0) add('SLICES_FAILED', 'bad', `${counted(slices.failed, 'slice')} failed`)
  if (slices.missing > 0) {
    const text =
      waiting === undefined
        ? `${counted(slices.missing, 'slice was', 'slices were')} not fetched`
        : `${counted(slices.missing, 'slice waits', 'slices wait')} for ${waiting.untilAt.slice(0, 10)}`
    add('SLICES_NOT_FETCHED', waiting === undefined ? 'bad' : 'warn', text)
  }
  if (absent !== undefined && absent.newCount > 0) {
    const ids = counted(absent.newCount, 'id is', 'ids are')
    add('NOT_LISTED', 'warn', `${ids} not in the answers of the source`)
  }
  if (lostKeys.length > 0 && fatal === null) {
    add('KEYS_LOST', 'warn', `${counted(lostKeys.length, 'key was', 'keys were')} left out`)
  }
}

function addOfPresent({ gaps, quarantine, gone, budget }: VerdictInput, add: Add): void {
  for (const { sink, place } of gone) {
    add('PUBLICATION_GONE', 'bad', `the publication ${sink} in ${place} is gone`)
  }
  if (gaps !== null && gaps.seriesWithHoles > 0) {
    add('HOLES', 'bad', `${count(gaps.seriesWithHoles)} of ${count(gaps.series)} series have gaps`)
  }
  if (gaps !== null && gaps.pendingUniverses.length > 0) {
    const text = `the coins of ${gaps.pendingUniverses.join(', ')} are not chosen yet`
    add('COINS_NOT_CHOSEN', 'warn', text)
  }
  const rows = quarantine.rows - quarantine.notListed
  if (rows > 0) add('ROWS_QUARANTINED', 'warn', `${counted(rows, 'row')} quarantined`)
  if (gaps !== null && gaps.doubtful.length > 0) {
    add('LISTINGS_DOUBTFUL', 'warn', `${counted(gaps.doubtful.length, 'listing')} may lack items`)
  }
  const spent = budget.months.filter(({ used, ceiling }) => ceiling !== null && used >= ceiling)
  if (spent.length > 0) {
    add('MONTH_USED', 'warn', `the month of ${counted(spent.length, 'key')} is used up`)
  }
}

/** The order with the newest point, if possible one that has not ended; undefined = no order has a point. */
export function freshest(freshness: readonly Freshness[]): Freshness | undefined {
  const aged = freshness.filter(({ ageMs }) => ageMs !== null)
  const open = aged.filter(({ state }) => state !== 'ended')
  return (open.length > 0 ? open : aged).toSorted((a, b) => (a.ageMs ?? 0) - (b.ageMs ?? 0))[0]
}

function newestText({ dataset, order, granularity, ageMs }: Freshness): string {
  const pointName = datasetByName(dataset)?.pointName
  const age = `${approximateDuration(ageMs ?? 0)} old`
  if (pointName === undefined) return `newest row of ${order} ${age}`
  const step = STEP_WORDS[granularity]
  const whose = order === dataset ? '' : ` of ${order}`
  return `newest ${step === undefined ? '' : `${step} `}${pointName}${whose} ${age}`
}

function nextSteps(input: VerdictInput, problems: readonly Problem[]): NextStep[] {
  const { gaps } = input
  const { report, begun } = input.run
  const has = (code: string): boolean => problems.some((one) => one.code === code)
  const steps: NextStep[] = []
  const add = (command: string | null, why: string): void => void steps.push({ command, why })
  if (begun?.state === 'going_on') {
    add('coinlake status --watch', 'a run holds the store: shows how far it is')
  }
  if (begun?.state === 'broken_off') add(begun.goOnWith, 'goes on with the run that was broken off')
  if (report?.fatal !== null && report?.fatal !== undefined) add(null, report.fatal.hint)
  if (isUntouched(input)) {
    add('coinlake plan', 'shows what a run would cost')
    add('coinlake backfill', 'fetches it')
    return steps
  }
  const hints = (report?.failures ?? []).map((one) => `${one.code}: ${failureHint(one.code)}`)
  for (const hint of new Set(hints)) add(null, hint)
  // Stale data without gaps: a run would fetch nothing.
  const isAllThere =
    gaps !== null &&
    gaps.seriesWithHoles + gaps.seriesBehind === 0 &&
    gaps.pendingUniverses.length === 0
  const isOpen =
    ['SLICES_FAILED', 'SLICES_NOT_FETCHED', 'HOLES', 'COINS_NOT_CHOSEN'].some(has) ||
    (has('STALE') && !isAllThere)
  if (isOpen && begun === null) {
    const holes = has('HOLES') && gaps !== null ? ` (${counted(gaps.holeCount, 'gap')})` : ''
    const isOnlyStale = has('STALE') && problems.every(({ code }) => code === 'STALE')
    add(
      'coinlake backfill',
      isOnlyStale ? 'fetches newer data' : `fetches only missing data${holes}`,
    )
  } else if (has('PUBLICATION_GONE') && begun === null) {
    add('coinlake backfill', 'publishes again, without a call when nothing is missing')
  }
  if (has('STALE') && isAllThere && begun === null) {
    add(null, 'The source has no newer data to fetch now: wait, or raise `freshness:`.')
  }
  if (has('NOT_LISTED')) add(null, 'Check the ids below: later runs are complete without them.')
  if (has('ROWS_QUARANTINED')) {
    add('coinlake quarantine list', 'shows the rows that broke a rule')
    add('coinlake quarantine replay --all', 'loads rows that pass now, without a call')
  }
  return steps
}
