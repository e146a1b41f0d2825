import { styleText } from 'node:util'
import { CoinlakeError, EXIT } from '../config/coinlake-error.ts'
import type { ExitCode } from '../config/coinlake-error.ts'
import { InvalidConfigError } from '../config/config-problem.ts'
import type { Effects } from './effects.ts'

/**
 * Prints an error as one message with code and hint, and returns the exit code it means. The stack
 * and the causes are shown only with --debug: they help us, not the person who mistyped a date.
 */
export function printError(effects: Effects, error: unknown, isDebug: boolean): ExitCode {
  const paint = (format: Parameters<typeof styleText>[0], text: string): string =>
    effects.isLive && effects.env['NO_COLOR'] === undefined ? styleText(format, text) : text
  if (error instanceof CoinlakeError) {
    for (const { code, message, hint } of partsOf(error)) {
      effects.stderr.write(`${paint('red', `error[${code}]`)}: ${message}\n`)
      effects.stderr.write(`  ${paint('cyan', 'hint')}: ${hint}\n`)
    }
    if (isDebug) effects.stderr.write(`${stackOf(error)}\n`)
    return error.exitCode
  }
  const message = error instanceof Error ? error.message : String(error)
  effects.stderr.write(`${paint('red', 'error[UNEXPECTED]')}: ${message}\n`)
  effects.stderr.write(
    `  ${paint('cyan', 'hint')}: Run it again with --debug and report what it prints.\n`,
  )
  if (isDebug) effects.stderr.write(`${stackOf(error)}\n`)
  return EXIT.unexpected
}

/** What is told one by one: every problem of a configuration has a place, a code and a hint of its own. */
function partsOf(error: CoinlakeError): { code: string; message: string; hint: string }[] {
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
