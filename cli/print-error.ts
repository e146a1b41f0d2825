import { CoinlakeError, EXIT } from '../config/coinlake-error.ts'
import type { ExitCode } from '../config/coinlake-error.ts'
import { InvalidConfigError } from '../config/config-problem.ts'
import { say } from './effects.ts'
import type { Color, Effects } from './effects.ts'
import { errorLines } from './render/error-lines.ts'
import type { ToldError } from './render/error-lines.ts'

/**
 * Prints an error as one message with code and hint, and returns the exit code it means. The stack
 * and the causes are shown only with --debug: they help us, not the person who mistyped a date.
 */
export function printError(effects: Effects, error: unknown, isDebug: boolean): ExitCode {
  const tell = (told: ToldError): void => {
    const [what, hint] = errorLines(told)
    sayLines(effects, what, 'red')
    sayLines(effects, hint, 'cyan')
  }
  const debug = (): void => {
    if (isDebug) sayLines(effects, stackOf(error))
  }
  if (error instanceof CoinlakeError) {
    for (const part of partsOf(error)) tell(part)
    debug()
    return error.exitCode
  }
  const message = error instanceof Error ? error.message : String(error)
  tell({
    code: 'UNEXPECTED',
    message,
    hint: 'Run it again with --debug and report what it prints.',
  })
  debug()
  return EXIT.unexpected
}

/**
 * DuckDB marks a place in SQL on lines of their own. All but the first stand indented, so that none of
 * them passes for a message of ours; the colour is that of the words before the first colon.
 */
function sayLines(effects: Effects, text: string, color?: Color): void {
  const [first = '', ...others] = text.split('\n')
  const end = first.indexOf(':')
  const isLed = color !== undefined && end !== -1
  say(effects, isLed ? { lead: first.slice(0, end), color, text: first.slice(end) } : first)
  for (const line of others) say(effects, `  ${line}`.trimEnd())
}

/** The errors to print one by one: every problem of a configuration has a place, a code and a hint of its own. */
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
