import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { frozenClock } from '../../config/clock.ts'
import type { CrashPlace, CrashPoint } from '../../config/crash-point.ts'
import { streamSeed, wholeBelow } from '../../service/market/random.ts'
import { runCaptured } from '../parts/run-captured.ts'
import type { CliProcess } from '../parts/cli-process.ts'
import { expectEqual, expectPublished, openSmallLake, serveSmallMarket } from './crash-market.ts'
import type { PublicationChoice, Undisturbed } from './crash-market.ts'
import { reportOf } from './report-of.ts'
import type { Lake } from '../parts/lake.ts'
import { NOW_MS, repeatedRequests } from '../parts/day-market.ts'
import type { Served } from '../parts/serve-source.ts'
import { countLosses, tableHashes } from '../parts/table-hashes.ts'

/**
 * The processes that work: the command alone; a `coinlake worker`, with the command following; or the command with
 * the worker of another warehouse beside it, which shares the key and its budget.
 */
export const WORKERS = ['one', 'handed over', 'shared key'] as const

/** One kill. */
export interface CrashCase {
  point: CrashPoint
  publication: PublicationChoice
  workers: (typeof WORKERS)[number]
  /** Draws which of the times that the point is reached is the last, and who is killed. */
  seed: number
}

/** The result of the case. */
export interface CrashResult {
  /** The point was reached for the n-th time when the process was killed. */
  nth: number
  callsAgain: number
  rowsLost: number
  rowsTwice: number
}

/** Most requests that one process has under way: `source.concurrency` of the lake's config. */
export const IN_FLIGHT = 4
/** Once all is loaded nothing may be asked for twice. */
const LATE_PLACES: readonly CrashPlace[] = ['publish.build', 'publish.rename', 'publish.manifest']

/**
 * Kills a process at the point, gives the same command again, and holds everything against the
 * undisturbed run: every table in the store and the publications, the calls, what is left behind, and
 * what `coinlake verify` says.
 *
 * @throws Error that says what is not as it should be
 */
export async function runCrashCase(
  one: CrashCase,
  undisturbed: Undisturbed,
  engineDir: string,
): Promise<CrashResult> {
  const place = one.point.replace(/\.(?:before|after)$/, '') as CrashPlace
  const draw = streamSeed(one.seed, one.point)
  const most = undisturbed.counts.get(one.point)
  if (most === undefined) throw new Error(`${one.point} is never reached`)
  const nth = 1 + wholeBelow(draw, 0, Math.ceil(most / 2))
  const service = await serveSmallMarket()
  const lake = openSmallLake(service, one.publication, engineDir)
  const other = one.workers === 'shared key' ? openSmallLake(service, 'duckdb', engineDir) : null
  const crash: Crash = { point: one.point, nth, log: join(lake.paths.root, '..', 'crash.log') }
  try {
    if (one.workers === 'handed over') await killWorker(lake, crash)
    else await killCommand(lake, crash, other)
    const mayRepeat = LATE_PLACES.includes(place) ? 0 : IN_FLIGHT
    const found = await expectUndisturbed(lake, service, undisturbed, { ...one, mayRepeat })
    const traces = await other?.traces()
    if (traces !== undefined && traces.length > 0) throw new Error(`left: ${traces.join(', ')}`)
    return { nth, ...found }
  } finally {
    await other?.remove()
    await lake.remove()
    await service.close()
  }
}

/** Where a process is killed. */
export interface Crash {
  point: CrashPoint
  nth: number
  log: string
}

/** Arms a process. */
export function crashEnv({ point, nth, log }: Crash): Record<string, string> {
  return { COINLAKE_CRASH_AT: `${point}:${nth}`, COINLAKE_CRASH_LOG: log }
}

/**
 * Holds a warehouse against the undisturbed run: every table in the store and the publications, the
 * calls, what `coinlake verify` says, and what is left behind.
 */
export async function expectUndisturbed(
  lake: Lake,
  service: Served,
  undisturbed: Undisturbed,
  { publication, mayRepeat }: { publication: PublicationChoice; mayRepeat: number },
): Promise<Omit<CrashResult, 'nth'>> {
  const hashes = await tableHashes(lake.paths.storeFile)
  const { lost, twice } = countLosses(undisturbed.hashes, hashes)
  expectEqual('the store', undisturbed.hashes, hashes)
  await expectPublished(lake, publication, undisturbed.hashes)
  const callsAgain = repeatedRequests(service.log)
  if (callsAgain > mayRepeat) throw new Error(`${callsAgain} calls were made again`)
  await expectVerified(lake)
  const traces = await lake.traces()
  if (traces.length > 0) throw new Error(`left behind: ${traces.join(', ')}`)
  return { callsAgain, rowsLost: lost, rowsTwice: twice }
}

/** The command is killed; then the same command again. */
async function killCommand(lake: Lake, crash: Crash, other: Lake | null): Promise<void> {
  const beside = other?.start(['worker']) ?? null
  await beside?.says('working on')
  const command = lake.start(['backfill', '--json'], crashEnv(crash))
  await expectKilled(command, crash)
  reportOf(await lake.start(['backfill', '--json']).ended)
  if (beside !== null) await stop(beside)
}

/** The worker is killed under a command that follows it; then there is a worker again. */
async function killWorker(lake: Lake, crash: Crash): Promise<void> {
  const worker = lake.start(['worker'], crashEnv(crash))
  await worker.says('working on')
  const command = lake.start(['backfill', '--json'])
  await expectKilled(worker, crash)
  await endWithNewWorker(lake, command)
}

/** Starts a worker for a command that follows a dead one, and waits for the end of both. */
export async function endWithNewWorker(lake: Lake, follower: CliProcess): Promise<void> {
  const worker = lake.start(['worker'])
  // The command would wait without end for a worker that did not start.
  const failed = worker.ended.then(({ code, stderr }) => {
    throw new Error(`the new worker ended with ${code}: ${stderr}`)
  })
  reportOf(await Promise.race([follower.ended, failed]))
  await worker.says('working on')
  await stop(worker)
}

/** Waits for the end of a process, and proves that it came at the point. */
export async function expectKilled(process: CliProcess, { point, nth, log }: Crash): Promise<void> {
  const { code, signal, stderr } = await process.ended
  if (!existsSync(log)) throw new Error(`${point}:${nth} was never reached: ${code} ${stderr}`)
  const said = readFileSync(log, 'utf8')
  if (said !== `${point} ${process.pid}\n` || signal !== 'SIGKILL') {
    throw new Error(`not killed at ${point}:${nth} but at ${said}, with ${signal ?? code}`)
  }
}

async function stop(process: CliProcess): Promise<void> {
  process.kill('SIGINT')
  const { code, stderr } = await process.ended
  if (code !== 0) throw new Error(`a worker that was told to stop ended with ${code}: ${stderr}`)
}

/** Nothing to repair by hand: the ledger agrees with every row and every file. */
async function expectVerified(lake: Lake): Promise<void> {
  const { exitCode, stdout, stderr } = await runCaptured(['verify', '-c', lake.configFile], {
    cwd: dirname(lake.configFile),
    clock: frozenClock(NOW_MS),
  })
  if (exitCode !== 0) throw new Error(`verify ends with ${exitCode}: ${stderr}${stdout}`)
}
