import { CoinlakeError, EXIT } from '../config/coinlake-error.ts'
import type { ExitCode } from '../config/coinlake-error.ts'
import { InvalidConfigError } from '../config/config-problem.ts'
import { printJson, say } from './effects.ts'
import type { Color, Effects } from './effects.ts'
import { errorLines } from './render/error-lines.ts'
import type { ToldError } from './render/error-lines.ts'

/**
 * Prints an error as one message with code and hint, and returns the exit code it means. A command line that asks for
 * JSON gets the same as one document on stdout, too. The stack and the causes are shown only with --debug: they help
 * us, not the person who mistyped a date.
 */
export function printError(effects: Effects, error: unknown, argv: readonly string[]): ExitCode {
  const parts = partsOf(error)
  for (const { where, message, ...part } of parts) {
    const [what, hint] = errorLines({
      ...part,
      message: where === null ? message : `${where}: ${message}`,
    })
    sayLines(effects, what, 'red')
    sayLines(effects, hint, 'cyan')
  }
  if (argv.includes('--debug')) sayLines(effects, stackOf(error))
  const exitCode = error instanceof CoinlakeError ? error.exitCode : EXIT.unexpected
  const [first, ...others] = parts
  if (asksForJson(argv)) printJson(effects, { error: first, others, exitCode })
  return exitCode
}

/** Whether the words of a command line ask for JSON; commander cannot say so of words that it refused. */
function asksForJson(argv: readonly string[]): boolean {
  return argv.some((word, at) => {
    if (word === '-f' || word === '--format') return argv[at + 1] === 'json'
    return ['--json', '-fjson', '--format=json'].includes(word)
  })
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

/** A fault with its place: `coinlake.yaml:12:5`, `flag --from`; null where it has none. */
type PlacedError = ToldError & { where: string | null }

/** The errors to print one by one: every problem of a configuration has a place, a code and a hint of its own. */
function partsOf(error: unknown): PlacedError[] {
  if (error instanceof InvalidConfigError) {
    return error.problems.map(({ where, what, code, hint }) => {
      return { code, message: what, hint, where }
    })
  }
  if (error instanceof CoinlakeError) {
    const { code, message, hint } = error
    return [{ code, message, hint, where: null }]
  }
  const message = error instanceof Error ? error.message : String(error)
  const hint = 'Run it again with --debug and report what it prints.'
  return [{ code: 'UNEXPECTED', message, hint, where: null }]
}

function stackOf(error: unknown): string {
  if (!(error instanceof Error)) return ''
  const cause = error.cause === undefined ? '' : `\ncaused by: ${stackOf(error.cause)}`
  return `${error.stack ?? error.message}${cause}`
}
