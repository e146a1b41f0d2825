import { ConfigError } from './config-error.ts'

export interface ConfigProblem {
  /** `coinlake.yaml:12:5`, `flag --from`, `env COINLAKE_BASE_URL`. */
  where: string
  /** Stable, e.g. CONFIG_BAD_DATE. */
  code: string
  what: string
  hint: string
}

/**
 * All problems of a configuration, so that one run shows them all. `code` and `hint` are those of the first
 * problem; `problems` has all of them.
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
 * Throws all problems. Equal ones are reported once, because a flag is read for every dataset that takes it.
 *
 * @throws InvalidConfigError when there is a problem.
 */
export function throwIfAny(problems: readonly ConfigProblem[]): void {
  const unique = new Map(problems.map((one) => [`${one.where} ${one.code} ${one.what}`, one]))
  const [first, ...others] = unique.values()
  if (first !== undefined) throw new InvalidConfigError([first, ...others])
}
