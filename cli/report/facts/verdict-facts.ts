import type { RunReport } from '../../../activities/run-report.ts'
import { datasetByName } from '../../../datasets/index.ts'
import { failureHint } from '../../render/failure-hint.ts'
import type { GonePublication } from '../../query/gone-publications.ts'
import { approximateDuration, count, counted, daysText } from '../../render/quantities.ts'
import type { BudgetFacts } from './budget-facts.ts'
import type { Freshness } from '../../freshness/freshness-facts.ts'
import type { GapFacts } from './gap-facts.ts'
import type { QuarantineFacts } from './quarantine-facts.ts'
import type { RunFacts } from './run-facts.ts'

/** The problems of a warehouse at a glance, each with its next step. */
export interface VerdictFacts {
  /** complete, partial, failed, cancelled (of the run); stale, incomplete (of what is there now); running, broken off, nothing yet. */
  word: string
  level: 'good' | 'warn' | 'bad'
  /** Wanted days that cannot be had: the verdict does not count them. */
  unreachableDays: number
  /** The verdict and its reasons in one line. */
  sentence: string
  problems: Problem[]
  next: NextStep[]
}

/** One thing that is wrong. */
export interface Problem {
  code: string
  level: 'warn' | 'bad'
  text: string
}

export interface NextStep {
  /** null = there is no command for it. */
  command: string | null
  why: string
}

/** Everything the verdict follows from. */
export interface VerdictInput {
  run: RunFacts
  gaps: GapFacts | null
  quarantine: QuarantineFacts
  freshness: readonly Freshness[]
  /** Publications that readers had and have no more. */
  gone: readonly GonePublication[]
  budget: BudgetFacts
  warehouse: string
}

/** Causes that end a run, in words for the first line; others are named by their code. */
const FATAL_TEXTS: Readonly<Record<string, string>> = {
  SOURCE_AUTH: 'the source refused the key',
  SOURCE_DOWN: 'the source was down',
  SOURCE_UNREACHABLE: 'the source could not be reached',
  SOURCE_NOT_A_SERVICE: 'something else than the service answered',
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

/** Weighs all facts. Pure. */
export function verdictFacts(input: VerdictInput): VerdictFacts {
  const { run, gaps, freshness } = input
  const { report, begun } = run
  const problems = [
    ...runProblems(report),
    ...presentProblems(input),
    ...freshness.filter(({ state }) => state === 'stale').map(staleProblem),
  ]
  const word = wordOf(input, problems)
  const level = problems.some((one) => one.level === 'bad')
    ? 'bad'
    : problems.length > 0 || report === null || begun !== null
      ? 'warn'
      : 'good'
  const newest = newestOf(freshness)
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

/** Said of a warehouse that lacks nothing that could be had. */
function wholeText(gaps: GapFacts | null, unreachableDays: number): string {
  const isAll = unreachableDays === 0
  if (gaps === null) {
    return isAll
      ? 'the last run brought all it was asked for'
      : 'the last run brought what it could'
  }
  const series = counted(gaps.series, 'series', 'series')
  return isAll
    ? `all ${series} that are asked for are there`
    : `what can be had of ${series} is there`
}

/** Neither a run nor a point: a published file that was copied away has points, and no reports. */
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
  // The order may have grown, and time goes on: the run's own verdict does not show that.
  if (gaps !== null && (gaps.seriesWithHoles > 0 || gaps.pendingUniverses.length > 0))
    return 'incomplete'
  if (problems.some(({ code }) => code === 'ROWS_QUARANTINED' || code === 'PUBLICATION_GONE'))
    return 'incomplete'
  return problems.some(({ code }) => code === 'STALE') ? 'stale' : 'complete'
}

function runProblems(report: RunReport | null): Problem[] {
  if (report === null) return []
  const { fatal, slices, lostKeys = [], waiting, absent } = report
  const problems: Problem[] = []
  const add = (code: string, level: Problem['level'], text: string): void => {
    problems.push({ code, level, text })
  }
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
  return problems
}

function presentProblems(input: VerdictInput): Problem[] {
  const { gaps, quarantine, gone, budget } = input
  // Before the first run everything is missing: that is no news.
  if (isUntouched(input)) return []
  const problems: Problem[] = []
  for (const { sink, place } of gone) {
    const text = `what readers open is gone: ${sink} in ${place}`
    problems.push({ code: 'PUBLICATION_GONE', level: 'bad', text })
  }
  if (gaps !== null && gaps.seriesWithHoles > 0) {
    const text = `${count(gaps.seriesWithHoles)} of ${count(gaps.series)} series have gaps`
    problems.push({ code: 'HOLES', level: 'bad', text })
  }
  if (gaps !== null && gaps.pendingUniverses.length > 0) {
    const text = `the coins of ${gaps.pendingUniverses.join(', ')} are not chosen yet`
    problems.push({ code: 'COINS_NOT_CHOSEN', level: 'warn', text })
  }
  const rows = quarantine.rows - quarantine.notListed
  if (rows > 0) {
    const text = `${counted(rows, 'row')} quarantined`
    problems.push({ code: 'ROWS_QUARANTINED', level: 'warn', text })
  }
  if (gaps !== null && gaps.doubtful.length > 0) {
    const text = `${counted(gaps.doubtful.length, 'listing')} may lack items`
    problems.push({ code: 'LISTINGS_DOUBTFUL', level: 'warn', text })
  }
  const spent = budget.months.filter(({ used, ceiling }) => ceiling !== null && used >= ceiling)
  if (spent.length > 0) {
    const text = `the month of ${counted(spent.length, 'key')} is used up`
    problems.push({ code: 'MONTH_USED', level: 'warn', text })
  }
  return problems
}

function staleProblem(one: Freshness): Problem {
  return { code: 'STALE', level: 'warn', text: newestText(one) }
}

/** The order with the newest point, of those that go on where there are such; none while there is no point at all. */
export function newestOf(freshness: readonly Freshness[]): Freshness | undefined {
  const aged = freshness.filter(({ ageMs }) => ageMs !== null)
  const open = aged.filter(({ state }) => state !== 'ended')
  return (open.length > 0 ? open : aged).toSorted((a, b) => (a.ageMs ?? 0) - (b.ageMs ?? 0))[0]
}

function newestText({ dataset, order, granularity, ageMs }: Freshness): string {
  const point = datasetByName(dataset)?.pointName ?? dataset
  const step = STEP_WORDS[granularity]
  const whose = order === dataset ? '' : ` of ${order}`
  return `newest ${step === undefined ? '' : `${step} `}${point}${whose} ${approximateDuration(ageMs ?? 0)} old`
}

function nextSteps(input: VerdictInput, problems: readonly Problem[]): NextStep[] {
  const { gaps } = input
  const { report, begun } = input.run
  const has = (code: string): boolean => problems.some((one) => one.code === code)
  const steps: NextStep[] = []
  if (begun?.state === 'going_on') {
    steps.push({
      command: 'coinlake status --watch',
      why: 'a run holds the store: shows how far it is',
    })
  }
  if (begun?.state === 'broken_off') {
    steps.push({ command: begun.goOnWith, why: 'goes on with the run that was broken off' })
  }
  if (report?.fatal !== null && report?.fatal !== undefined) {
    steps.push({ command: null, why: report.fatal.hint })
  }
  if (isUntouched(input)) {
    steps.push({ command: 'coinlake plan', why: 'shows what a run would cost' })
    steps.push({ command: 'coinlake backfill', why: 'fetches it' })
    return steps
  }
  const codes = new Set((report?.failures ?? []).map(({ code }) => code))
  for (const code of codes) {
    steps.push({ command: null, why: `${code}: ${failureHint(code)}` })
  }
  // Stale with nothing left to ask for: a run would bring nothing.
  const isAllThere =
    gaps !== null &&
    gaps.seriesWithHoles + gaps.seriesBehind === 0 &&
    gaps.pendingUniverses.length === 0
  const isOpen =
    ['SLICES_FAILED', 'SLICES_NOT_FETCHED', 'HOLES', 'COINS_NOT_CHOSEN'].some(has) ||
    (has('STALE') && !isAllThere)
  if (isOpen && begun === null) {
    const holes = has('HOLES') && gaps !== null ? ` (${counted(gaps.holeCount, 'gap')})` : ''
    const why =
      has('STALE') && problems.every(({ code }) => code === 'STALE')
        ? 'fetches what came since'
        : `asks for what is missing, and for nothing else${holes}`
    steps.push({ command: 'coinlake backfill', why })
  } else if (has('PUBLICATION_GONE') && begun === null) {
    const why = 'publishes again, without a call when nothing is missing'
    steps.push({ command: 'coinlake backfill', why })
  }
  if (has('STALE') && isAllThere && begun === null) {
    const why = 'All that can be asked for now is there: wait, or raise `freshness:`.'
    steps.push({ command: null, why })
  }
  if (has('NOT_LISTED')) {
    const why = 'Check the ids below: later runs are complete without them.'
    steps.push({ command: null, why })
  }
  if (has('ROWS_QUARANTINED')) {
    steps.push({ command: 'coinlake quarantine list', why: 'shows the rows that broke a rule' })
    steps.push({
      command: 'coinlake quarantine replay --all',
      why: 'loads what passes now, without a call',
    })
  }
  return steps
}
