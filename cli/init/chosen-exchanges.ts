import type { Config } from '../../config/config.ts'
import type { ConfigFlags } from '../../config/config-flags.ts'
import { InvalidConfigError } from '../../config/config-problem.ts'
import type { InitAnswers } from '../../config/init-template.ts'
import { parseConfig } from '../../config/load-config.ts'
import type { Dataset } from '../../datasets/dataset.ts'
import type { RawAnswers } from './check-answers.ts'
import { DEFAULTS } from './defaults.ts'

/** Whether its exchanges are those of derivatives, which have ids of their own. */
export function isOfDerivatives({ operations }: Pick<Dataset, 'operations'>): boolean {
  return operations.every((id) => id.startsWith('derivatives'))
}

/**
 * Exchanges by dataset. Those of derivatives are said apart; where nothing else has exchanges,
 * `exchanges` means them.
 *
 * @throws InvalidConfigError whose problems name `--derivative-exchanges`
 */
export function chosenExchanges(
  raw: RawAnswers,
  { datasets: chosen, source }: Config,
  datasets: readonly Dataset[],
): InitAnswers['exchanges'] {
  const taking = datasets.filter(({ name, entity }) => entity === 'exchange' && name in chosen)
  const spot = taking.filter((dataset) => !isOfDerivatives(dataset))
  const ofDerivatives = taking.filter(isOfDerivatives).map(({ name }) => name)
  const fallback = ofDerivatives.length === 0 ? undefined : DEFAULTS.derivativeExchanges.join(',')
  const flags: ConfigFlags = {
    profile: source.profile.name,
    baseUrl: source.baseUrl,
    datasets: ofDerivatives,
    exchanges:
      raw.derivativeExchanges ?? (spot.length === 0 ? raw.exchanges : undefined) ?? fallback,
  }
  const config = underFlag('exchanges', 'derivative-exchanges', () =>
    parseConfig({ file: 'coinlake.yaml', flags, env: {}, datasets }, '{}\n'),
  )
  return Object.fromEntries([
    ...spot.map(({ name }) => [name, chosen[name]?.exchanges ?? []] as const),
    ...Object.values(config.datasets).map(
      ({ name, exchanges }) => [name, exchanges ?? []] as const,
    ),
  ])
}

/** Problems of one flag told as those of another, which has the same rules. */
function underFlag<T>(rules: string, flag: string, check: () => T): T {
  try {
    return check()
  } catch (error) {
    if (!(error instanceof InvalidConfigError)) throw error
    const [first, ...others] = error.problems.map((problem) => {
      return problem.where === `flag --${rules}` ? { ...problem, where: `flag --${flag}` } : problem
    })
    throw first === undefined ? error : new InvalidConfigError([first, ...others])
  }
}
