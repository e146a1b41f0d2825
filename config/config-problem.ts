import { ConfigError } from './config-error.ts'

/** One thing that is wrong with the configuration. */
export interface ConfigProblem {
  /** `coinlake.yaml:12:5`, `flag --from`, `env COINLAKE_BASE_URL`. */
  where: string
  /** Stable, e.g. CONFIG_BAD_DATE. */
  code: string
  /** The fault, with path and value. */
  what: string
  /** The next step. */
  hint: string
}

/**
 * All problems of a configuration at once, so that a file is not repaired one run at a time. `code` and `hint` are
 * those of the first problem; `problems` has them all.
 */
export class InvalidConfigError extends ConfigError {
  readonly problems: readonly ConfigProblem[]

  constructor(problems: readonly [ConfigProblem, ...ConfigProblem[]]) {
    const [first] = problems
    const lines = problems.map((problem) => `${problem.where}: ${problem.what}`)
    super(lines.join('\n'), { code: first.code, hint: first.hint })
    this.problems = problems
  }
}

/**
 * Equal problems are reported once: a flag is read for every dataset it fits.
 *
 * @throws InvalidConfigError when there is a problem at all.
 */
export function throwIfAny(problems: readonly ConfigProblem[]): void {
  const unique = new Map(problems.map((one) => [`${one.where} ${one.code} ${one.what}`, one]))
  const [first, ...others] = unique.values()
  if (first !== undefined) throw new InvalidConfigError([first, ...others])
}
