import { styleText } from 'node:util'
import { CoinlakeError, EXIT } from '../config/coinlake-error.ts'
import type { ExitCode } from '../config/coinlake-error.ts'
import { InvalidConfigError } from '../config/config-problem.ts'
import type { Effects } from './effects.ts'
import { errorLines } from './render/error-lines.ts'
import type { ToldError } from './render/error-lines.ts'

/**
 * Prints an error as one message with code and hint, and returns the exit code it means. The stack
 * and the causes are shown only with --debug: they help us, not the person who mistyped a date.
 */
export function printError(effects: Effects, error: unknown, isDebug: boolean): ExitCode {
  const isColored = effects.isLive && effects.env['NO_COLOR'] === undefined
  const tell = (told: ToldError): void => {
    const paint = isColored ? styleText : undefined
    for (const line of errorLines(told, paint)) effects.stderr.write(`${line}\n`)
  }
  if (error instanceof CoinlakeError) {
    for (const part of partsOf(error)) tell(part)
    if (isDebug) effects.stderr.write(`${stackOf(error)}\n`)
    return error.exitCode
  }
  const message = error instanceof Error ? error.message : String(error)
  tell({
    code: 'UNEXPECTED',
    message,
    hint: 'Run it again with --debug and report what it prints.',
  })
  if (isDebug) effects.stderr.write(`${stackOf(error)}\n`)
  return EXIT.unexpected
}

/** What is told one by one: every problem of a configuration has a place, a code and a hint of its own. */
function partsOf(error: CoinlakeError): ToldError[] {
  if (!(error instanceof InvalidConfigError)) return [error]
  return error.problems.map(({ where, what, code, hint }) => ({
    code,
    message: `${where}: ${what}`,
    hint,
  }))
}

function stackOf(error: unknown): string {
  if (!(error instanceof Error)) return ''
  const cause = error.cause === undefined ? '' : `\ncaused by: ${stackOf(error.cause)}`
  return `${error.stack ?? error.message}${cause}`
}
