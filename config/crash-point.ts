import { appendFileSync } from 'node:fs'

/** The steps on the way of a page into what readers open, in their order. */
export const CRASH_PLACES = [
  'plan', // the transaction that writes a run's plan
  'permit', // the pacer lets a call leave
  'request', // the headers of the answer are there
  'body', // the whole body is there
  'stage.rename', // the file of a page gets its name: from then on it is staged
  'load.begin', // the transaction of a load begins
  'load.rows', // its rows are merged
  'load.ledger', // its ledger is written
  'load.commit', // it is committed
  'publish.build', // a publication's file is written
  'publish.rename', // it gets its name
  'publish.manifest', // readers are sent to it: by the link, in a bucket by the manifest
  'ack', // Temporal has been told that an activity is done
] as const

export type CrashPlace = (typeof CRASH_PLACES)[number]
export type CrashPoint = `${CrashPlace}.${'before' | 'after'}`

/** Every point at which a test may kill the process. */
export const CRASH_POINTS: readonly CrashPoint[] = CRASH_PLACES.flatMap((place) => [
  `${place}.before` as const,
  `${place}.after` as const,
])

/** In place of a point: kills nowhere, and writes down every point that is reached. */
const COUNT = 'count'

const reached = new Map<string, number>()

/**
 * A named point where a test may kill the process with SIGKILL, to prove that a crash there changes
 * nothing. `COINLAKE_CRASH_AT=load.commit.before:3` kills when that point is reached for the third time, and
 * writes its name and the pid into `COINLAKE_CRASH_LOG` first, so that the test can prove it was reached.
 */
export function crashPoint(name: CrashPoint): void {
  if (!isCrashAwaited(name)) return
  const [wanted, nth = '1'] = (process.env['COINLAKE_CRASH_AT'] ?? '').split(':')
  const count = (reached.get(name) ?? 0) + 1
  reached.set(name, count)
  if (wanted !== COUNT && count !== Number(nth)) return
  const log = process.env['COINLAKE_CRASH_LOG']
  if (log !== undefined) appendFileSync(log, `${name} ${process.pid}\n`)
  if (wanted !== COUNT) process.kill(process.pid, 'SIGKILL')
}

/** Whether a test waits for this point: for points that cost something to find out. */
export function isCrashAwaited(name: CrashPoint): boolean {
  const wanted = process.env['COINLAKE_CRASH_AT']
  return wanted !== undefined && (wanted === COUNT || wanted.split(':')[0] === name)
}
