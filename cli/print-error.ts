import { CoinlakeError, EXIT, type ExitCode } from '../config/coinlake-error.ts'
import { InvalidConfigError } from '../config/config-problem.ts'
import { printJson, say, type Color, type Effects } from './effects.ts'
import { errorLines, type ErrorText } from './render/error-lines.ts'

/**
 * Prints an error as one message with code and hint, and returns its exit code. A command line that asks for JSON also
 * gets one document on stdout. Only --debug shows the stack and the causes.
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

/** Whether a command line asks for JSON; commander does not parse one that it refuses. */
function asksForJson(argv: readonly string[]): boolean {
  return argv.some((word, at) => {
    if (word === '-f' || word === '--format') return argv[at + 1] === 'json'
    return ['--json', '-fjson', '--format=json'].includes(word)
  })
}

/**
 * Prints a text, such as a message of DuckDB or a stack. All lines but the first are indented, so none looks like ours.
 */
function sayLines(effects: Effects, text: string, color?: Color): void {
  const [first = '', ...others] = text.split('\n')
  const end = first.indexOf(':')
  const isLed = color !== undefined && end !== -1
  say(effects, isLed ? { lead: first.slice(0, end), color, text: first.slice(end) } : first)
  for (const line of others) say(effects, `  ${line}`.trimEnd())
}

/** A fault with its place: `coinlake.yaml:12:5`, `flag --from`; null where it has none. */
type PlacedError = ErrorText & { where: string | null }

/** The errors to print. Each problem of a configuration has its own place, code and hint. */
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
