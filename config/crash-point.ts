import { appendFileSync } from 'node:fs'

const reached = new Map<string, number>()

/**
 * A named place where a test may kill the process with SIGKILL, to prove that a crash there changes
 * nothing. `COINLAKE_CRASH_AT=load.commit:3` kills at the third time `load.commit` is reached, and
 * writes the name into `COINLAKE_CRASH_LOG` first, so that the test can prove it was reached.
 */
export function crashPoint(name: string): void {
  const wanted = process.env['COINLAKE_CRASH_AT']
  if (wanted === undefined) return
  const [wantedName, nth = '1'] = wanted.split(':')
  if (wantedName !== name) return
  const count = (reached.get(name) ?? 0) + 1
  reached.set(name, count)
  if (count !== Number(nth)) return
  const log = process.env['COINLAKE_CRASH_LOG']
  if (log !== undefined) appendFileSync(log, `${name} ${process.pid}\n`)
  process.kill(process.pid, 'SIGKILL')
}
