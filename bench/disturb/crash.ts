import pLimit from 'p-limit'
import { CRASH_POINTS } from '../../config/crash-point.ts'
import { runCrashCase, WORKERS } from '../../test/resume/crash-case.ts'
import type { CrashCase, CrashResult } from '../../test/resume/crash-case.ts'
import { PUBLICATIONS, runUndisturbed } from '../../test/resume/crash-market.ts'
import type { PublicationChoice, Undisturbed } from '../../test/resume/crash-market.ts'
import type { Benchmark, BenchContext, BenchFigures } from '../benchmark.ts'
import { BenchUsageError } from '../benchmark.ts'
import { figure } from '../figure-table.ts'
import { withOwnEngine } from '../own-engine.ts'

/** Runs at once. Each mostly waits for the heartbeat of the killed process. */
const AT_ONCE = 4
const SEEDS = [1, 2, 3]

type Outcome = CrashCase & { result: CrashResult | null; fault: string }

/**
 * Three kills at every crash point: each publication, each number of workers and each seed once. Later points
 * combine the three anew, until every two of their values have met.
 */
export const crashCases: readonly CrashCase[] = CRASH_POINTS.flatMap((point, at) =>
  PUBLICATIONS.map((publication, turn) => ({
    point,
    publication,
    workers: WORKERS[(turn + at) % WORKERS.length]!,
    seed: SEEDS[(turn + Math.floor(at / WORKERS.length)) % SEEDS.length]!,
  })),
)

export const crash: Benchmark = {
  name: 'crash',
  measures:
    'kills at every named crash point, and whether the same command ends with the same tables',
  args: '[part of the names of points]',
  takes: '11 min',
  run: measureCrash,
}

async function measureCrash({ folder, args, print }: BenchContext): Promise<BenchFigures> {
  const [wanted = '', ...more] = args
  const cases = crashCases.filter(({ point }) => point.includes(wanted))
  if (more.length > 0 || cases.length === 0) {
    throw new BenchUsageError(`no crash point has ${JSON.stringify(args.join(' '))} in its name`)
  }
  const startedMs = performance.now()
  return await withOwnEngine(folder, async (engineDir) => {
    const undisturbed = await undisturbedRuns(engineDir)
    const limit = pLimit(AT_ONCE)
    const outcomes = await Promise.all(
      cases.map((one) =>
        limit(async () => {
          const outcome = await runOne(one, undisturbed, engineDir)
          print(lineOf(outcome))
          return outcome
        }),
      ),
    )
    return totals(outcomes, (performance.now() - startedMs) / 60_000)
  })
}

async function undisturbedRuns(engineDir: string): Promise<Record<PublicationChoice, Undisturbed>> {
  const runs = await Promise.all(
    PUBLICATIONS.map(async (one) => [one, await runUndisturbed(one, engineDir)] as const),
  )
  return Object.fromEntries(runs) as Record<PublicationChoice, Undisturbed>
}

async function runOne(
  one: CrashCase,
  undisturbed: Record<PublicationChoice, Undisturbed>,
  engineDir: string,
): Promise<Outcome> {
  try {
    const result = await runCrashCase(one, undisturbed[one.publication], engineDir)
    return { ...one, result, fault: '' }
  } catch (error) {
    return { ...one, result: null, fault: String(error) }
  }
}

function lineOf({ point, publication, workers, seed, result, fault }: Outcome): string {
  const end =
    result === null ? fault : `pass ${result.nth}, equal, ${result.callsAgain} calls again`
  return `${point}  ${publication}  ${workers}  seed ${seed}: ${end}`
}

function totals(outcomes: readonly Outcome[], minutes: number): BenchFigures {
  const results = outcomes.flatMap(({ result }) => result ?? [])
  const sum = (of: (result: CrashResult) => number): number =>
    results.reduce((total, result) => total + of(result), 0)
  const again = sum(({ callsAgain }) => callsAgain)
  const aKill = figure(again / results.length)
  const lost = sum(({ rowsLost }) => rowsLost)
  const twice = sum(({ rowsTwice }) => rowsTwice)
  const rows = [
    {
      name: 'equal to the undisturbed run',
      cells: [{ value: results.length, atLeast: outcomes.length }],
    },
    { name: 'rows lost', cells: [{ value: lost, atMost: 0 }] },
    { name: 'rows twice', cells: [{ value: twice, atMost: 0 }] },
    { name: 'calls made again', cells: [again] },
    { name: '  per kill', decimals: 2, cells: [aKill] },
    { name: 'time', unit: 'min', decimals: 1, cells: [minutes] },
  ]
  const faults = outcomes.filter(({ result }) => result === null)
  return {
    scenario: `${outcomes.length} kills, ${AT_ONCE} at once, each followed by the same command`,
    tables: [{ columns: [{ name: '' }], rows }],
    ...(faults.length > 0 && { failure: faults.map(lineOf).join('\n') }),
  }
}
