import type { Readable, Writable } from 'node:stream'
import { isatty } from 'node:tty'
import { clockFromEnv } from '../config/clock.ts'
import type { Clock } from '../config/clock.ts'

/** Everything a command touches of the outside, handed in so that commands can be tested in-process. */
export interface Effects {
  stdout: Writable
  stderr: Writable
  stdin: Readable
  env: Record<string, string | undefined>
  cwd: string
  clock: Clock
  /** Whether progress may move on stderr: a terminal, not CI, not TERM=dumb. */
  isLive: boolean
  /** Whether stdout is a terminal: tables are drawn for people there. */
  isTable: boolean
}

export function processEffects(): Effects {
  const { env } = process
  return {
    stdout: process.stdout,
    stderr: process.stderr,
    stdin: process.stdin,
    env,
    cwd: process.cwd(),
    clock: clockFromEnv(env),
    isLive: isatty(2) && env['CI'] === undefined && env['TERM'] !== 'dumb',
    isTable: isatty(1),
  }
}

/** One line for people, on stderr: stdout is for data. */
export function say(effects: Effects, line: string): void {
  effects.stderr.write(`${line}\n`)
}
