import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import pLimit from 'p-limit'
import { CRASH_POINTS } from '../config/crash-point.ts'
import { leaseServer, stopServer } from '../engine/lease-server.ts'
import { runCrashCase, WORKERS } from '../test/resume/crash-case.ts'
import type { CrashCase, CrashResult } from '../test/resume/crash-case.ts'
import { PUBLICATIONS, runUndisturbed } from '../test/resume/crash-market.ts'
import type { PublicationChoice, Undisturbed } from '../test/resume/crash-market.ts'
import { pairwise } from './pairwise.ts'
import { textTable } from './table.ts'

const HEAD = ['point', 'publication', 'workers', 'seed', 'nth', 'equal', 'calls again']
/** Runs at once: each mostly waits for the heartbeat of the process that was killed. */
const AT_ONCE = 4
const SEEDS = [1, 2, 3]

type Outcome = CrashCase & { result: CrashResult | null; fault: string }

/** Every crash point, pairwise with publication, workers and seed. */
export const crashCases: readonly CrashCase[] = pairwise({
  point: CRASH_POINTS,
  publication: PUBLICATIONS,
  workers: WORKERS,
  seed: SEEDS,
})

/**
 * Kills a process at every crash point, in every publication, beside other workers or alone, and holds
 * what the same command makes of it against an undisturbed run. An argument after `crash` takes only the
 * points whose names hold it.
 *
 * @param folder for the state of the Temporal server that all share; emptied by the caller
 */
export async function crash(folder: string, print: (line: string) => void): Promise<void> {
  const wanted = process.argv[3] ?? ''
  const cases = crashCases.filter(({ point }) => point.includes(wanted))
  const engineDir = join(folder, 'engine')
  mkdirSync(engineDir)
  const startedMs = performance.now()
  const lease = await leaseServer({ stateDir: engineDir, env: process.env })
  try {
    const undisturbed = await undisturbedRuns(engineDir)
    const limit = pLimit(AT_ONCE)
    const outcomes = await Promise.all(
      cases.map((one) =>
        limit(async () => {
          const outcome = await runOne(one, undisturbed, engineDir)
          print(rowOf(outcome).join('  '))
          return outcome
        }),
      ),
    )
    printTotals(outcomes, (performance.now() - startedMs) / 60_000, print)
    if (outcomes.some(({ result }) => result === null)) process.exitCode = 1
  } finally {
    lease.release()
    await stopServer(engineDir)
  }
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

function rowOf({ point, publication, workers, seed, result, fault }: Outcome): string[] {
  const end = result === null ? ['', fault, ''] : [result.nth, 'yes', result.callsAgain].map(String)
  return [point, publication, workers, String(seed), ...end]
}

function printTotals(
  outcomes: readonly Outcome[],
  minutes: number,
  print: (line: string) => void,
): void {
  print('')
  for (const line of textTable(HEAD, outcomes.map(rowOf))) print(line)
  const results = outcomes.flatMap(({ result }) => result ?? [])
  const sum = (of: (result: CrashResult) => number): number =>
    results.reduce((total, result) => total + of(result), 0)
  const again = sum(({ callsAgain }) => callsAgain)
  print('')
  print(
    `${results.length} of ${outcomes.length} equal to the undisturbed run, ${minutes.toFixed(1)} min`,
  )
  print(`calls made again: ${again}, ${(again / results.length).toFixed(2)} a kill`)
  print(
    `rows lost ${sum(({ rowsLost }) => rowsLost)}, rows twice ${sum(({ rowsTwice }) => rowsTwice)}`,
  )
}
