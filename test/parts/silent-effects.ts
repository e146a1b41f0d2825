import { PassThrough } from 'node:stream'
import type { Effects } from '../../cli/effects.ts'
import { systemClock } from '../../config/clock.ts'

/** Effects of a command that nobody reads. */
export function silentEffects(facts: Partial<Effects> = {}): Effects {
  return {
    stdout: new PassThrough().resume(),
    stderr: new PassThrough().resume(),
    stdin: new PassThrough(),
    env: {},
    cwd: '.',
    clock: systemClock,
    isLive: false,
    isTerminal: false,
    ...facts,
  }
}
