import type { Config } from '../../config/config.ts'
import type { DatasetOrder } from '../../config/settings/read-order.ts'
import type { ConfigFlags } from '../../config/config-flags.ts'
import { InvalidConfigError } from '../../config/config-problem.ts'
import { frozenClock } from '../../config/clock.ts'
import { CONFIG_GRANULARITIES, GRANULARITY_ALIASES } from '../../config/dataset-shape.ts'
import { keyUse, type DatasetKey } from '../../config/settings/order-settings.ts'
import type { InitAnswers } from '../../config/settings/init-template.ts'
import { parseConfig } from '../../config/load-config.ts'
import { profiles } from '../../config/profiles.ts'
import { formatUtc } from '../../config/values/utc-date.ts'
import { wantedFromConfig } from '../../config/wanted.ts'
import type { Dataset } from '../../datasets/dataset.ts'
import { DEFAULTS, defaultFrom } from './defaults.ts'
import { datasetsOfStudies } from './studies.ts'

/** Raw answers in the form of flags. A missing one gets its default. */
export interface RawAnswers extends Omit<ConfigFlags, 'warehouse'> {
  studies?: readonly string[] | undefined
  monthlyCalls?: string | undefined
}

/**
 * The answers, checked by the rules of the configuration itself.
 *
 * @throws InvalidConfigError whose problems name the flags
 */
export function checkAnswers(
  raw: RawAnswers,
  datasets: readonly Dataset[],
  nowMs: number,
): InitAnswers {
  const steps = raw.granularity?.split(',').map((step) => step.trim()) ?? []
  const config = parseAnswers(raw, datasets, nowMs)
  wantedFromConfig(config, datasets, frozenClock(nowMs))
  const chosen = config.datasets
  const first = <K extends keyof DatasetOrder>(key: K): DatasetOrder[K] | null =>
    chosen.map((order) => order[key]).find((value) => value !== null) ?? null
  const [fromMs, toMs] = [first('fromMs'), first('toMs')]
  return {
    profile: config.source.profile.name,
    baseUrl: config.source.baseUrl,
    monthlyCalls: monthlyCallsOf(raw),
    datasets: [...new Set(chosen.map(({ dataset }) => dataset))],
    coins: first('coins'),
    exchanges: Object.fromEntries(
      chosen.map(({ dataset, exchanges }) => [dataset, exchanges ?? []]),
    ),
    tokens: first('tokens') ?? DEFAULTS.tokens,
    queries: first('queries') ?? DEFAULTS.queries,
    vsCurrencies: chosen.find(({ vsCurrencies }) => vsCurrencies.length > 0)?.vsCurrencies ?? [],
    granularities: stepsOf(steps.length === 0 ? [DEFAULTS.granularity] : steps),
    from: fromMs === null ? defaultFrom(nowMs, raw.profile) : formatUtc(fromMs),
    to: toMs === null ? null : formatUtc(toMs),
    everyMs: chosen.find(({ everyMs }) => everyMs > 0)?.everyMs ?? 0,
  }
}

/** The problems of these answers, in one line; undefined = none. */
export function problemOf(
  raw: RawAnswers,
  datasets: readonly Dataset[],
  nowMs: number,
): string | undefined {
  try {
    checkAnswers(raw, datasets, nowMs)
    return undefined
  } catch (error) {
    if (!(error instanceof InvalidConfigError)) throw error
    return error.problems.map(({ what, hint }) => `${what}. ${hint}`).join(' ')
  }
}

/** The named datasets and those of the studies; without either, those of the default studies. */
export function chosenDatasets(raw: RawAnswers, datasets: readonly Dataset[]): string[] {
  const studied = raw.studies ?? (raw.datasets === undefined ? DEFAULTS.studies : [])
  const named = raw.datasets?.flatMap((names) => names.split(',')).map((name) => name.trim()) ?? []
  return [...new Set([...named, ...datasetsOfStudies(studied, datasets)])]
}

/** Parses an empty file with the answers and the needed defaults as flags. */
function parseAnswers(raw: RawAnswers, datasets: readonly Dataset[], nowMs: number): Config {
  const { studies: _, monthlyCalls: __, ...said } = raw
  const names = chosenDatasets(raw, datasets)
  const chosen = datasets.filter(({ name }) => names.includes(name))
  const ifNeeded = (key: DatasetKey, text: string): string | undefined =>
    chosen.some((dataset) => keyUse(dataset, key) === 'required') ? text : undefined
  const ifEntityChosen = (entity: Dataset['entity'], text: string): string | undefined =>
    chosen.some((dataset) => dataset.entity === entity) ? text : undefined
  const profile = raw.profile ?? DEFAULTS.profile
  const known = Object.values(profiles).find(({ name }) => name === profile)
  const needsUrl = known !== undefined && known.defaultBaseUrl === null
  const flags: ConfigFlags = {
    ...said,
    profile,
    baseUrl: raw.baseUrl ?? (needsUrl ? DEFAULTS.baseUrl : undefined),
    datasets: names,
    coins: raw.coins ?? ifNeeded('coins', DEFAULTS.coins.join(',')),
    exchanges: raw.exchanges ?? ifEntityChosen('exchange', DEFAULTS.exchanges.join(',')),
    derivativeExchanges:
      raw.derivativeExchanges ??
      ifEntityChosen('derivative_exchange', DEFAULTS.derivativeExchanges.join(',')),
    tokens: raw.tokens ?? ifNeeded('tokens', DEFAULTS.tokens.join(',')),
    queries: raw.queries ?? ifNeeded('queries', DEFAULTS.queries.join(',')),
    from: raw.from ?? ifNeeded('from', defaultFrom(nowMs, profile)),
  }
  return parseConfig({ file: 'coinlake.yaml', flags, env: {}, datasets }, '{}\n')
}

function stepsOf(steps: readonly string[]): InitAnswers['granularities'] {
  const stored = steps.map((step) => GRANULARITY_ALIASES[step] ?? step)
  return CONFIG_GRANULARITIES.filter((one) => stored.includes(one)).sort(
    (a, b) => stored.indexOf(a) - stored.indexOf(b),
  )
}

/** A larger number of calls is a typo. */
const MAX_MONTHLY_CALLS = 100_000_000

function monthlyCallsOf({ monthlyCalls = '' }: RawAnswers): number | null {
  const text = monthlyCalls.trim()
  if (text === '') return null
  const calls = Number(text)
  if (/^[0-9]+$/.test(text) && calls >= 1 && calls <= MAX_MONTHLY_CALLS) return calls
  throw new InvalidConfigError([
    {
      where: 'flag --monthly-calls',
      code: 'CONFIG_BAD_VALUE',
      what: `the calls of a month must be a whole number from 1 to ${MAX_MONTHLY_CALLS}, not ${JSON.stringify(text)}`,
      hint: 'Write the calls of the plan of the key, such as 10000.',
    },
  ])
}
