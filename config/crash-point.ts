import { appendFileSync } from 'node:fs'

/** The steps of a page from the plan to the publication, in their order. */
export const CRASH_PLACES = [
  'plan', // the transaction that writes a run's plan
  'permit', // the pacer lets a call leave
  'request', // the headers of the answer arrive
  'body', // the whole body has arrived
  'stage.rename', // the file of a page gets its name and is staged from then on
  'load.begin', // the transaction of a load begins
  'load.rows', // the rows of a load are merged
  'load.ledger', // the ledger of a load is written
  'load.commit', // the transaction of a load is committed
  'publish.build', // a publication's file is written
  'publish.rename', // a publication's file gets its name
  'publish.manifest', // the link, or a bucket's manifest, leads readers to the new file
  'ack', // Temporal learns that an activity is done
] as const

export type CrashPlace = (typeof CRASH_PLACES)[number]
export type CrashPoint = `${CrashPlace}.${'before' | 'after'}`

export const CRASH_POINTS: readonly CrashPoint[] = CRASH_PLACES.flatMap((place) => [
  `${place}.before` as const,
  `${place}.after` as const,
])

/** Instead of a point's name: kills at no point and logs every point that is reached. */
const COUNT = 'count'

const reached = new Map<string, number>()

/**
 * A point at which a test may kill the process with SIGKILL, to prove that a crash changes nothing.
 * `COINLAKE_CRASH_AT=load.commit.before:3` kills when that point is reached for the third time. The point and the pid
 * are written into `COINLAKE_CRASH_LOG` first, as proof for the test.
 */
export function crashPoint(name: CrashPoint): void {
  if (!isCrashOrdered(name)) return
  const [wanted, nth = '1'] = (process.env['COINLAKE_CRASH_AT'] ?? '').split(':')
  const count = (reached.get(name) ?? 0) + 1
  reached.set(name, count)
  if (wanted !== COUNT && count !== Number(nth)) return
  const log = process.env['COINLAKE_CRASH_LOG']
  if (log !== undefined) appendFileSync(log, `${name} ${process.pid}\n`)
  if (wanted !== COUNT) process.kill(process.pid, 'SIGKILL')
}

/** Whether a test kills the process or counts at this point, for callers that must do costly work to find the point. */
export function isCrashOrdered(name: CrashPoint): boolean {
  const wanted = process.env['COINLAKE_CRASH_AT']
  return wanted !== undefined && (wanted === COUNT || wanted.split(':')[0] === name)
}
