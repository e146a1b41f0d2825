import { PassThrough } from 'node:stream'
import type { Effects } from '../../cli/effects.ts'

/** Effects of a command that nobody reads. */
export function silentEffects(facts: Pick<Effects, 'env' | 'cwd' | 'clock'>): Effects {
  return {
    stdout: new PassThrough().resume(),
    stderr: new PassThrough().resume(),
    stdin: new PassThrough(),
    isLive: false,
    isTerminal: false,
    ...facts,
  }
}
