import type { Config } from '../../config/config.ts'
import type { ConfigFlags } from '../../config/config-flags.ts'
import { InvalidConfigError } from '../../config/config-problem.ts'
import { frozenClock } from '../../config/clock.ts'
import { keyUse, type OrderKey } from '../../config/settings/order-settings.ts'
import { MAX_CALLS } from '../../config/settings/source-settings.ts'
import { parseConfig } from '../../config/load-config.ts'
import { profiles } from '../../config/profiles.ts'
import { wantedFromConfig } from '../../config/wanted.ts'
import type { Dataset } from '../../datasets/dataset.ts'
import { datasets } from '../../datasets/index.ts'
import { DEFAULTS, defaultFrom } from './defaults.ts'
import { datasetsOfStudies } from './studies.ts'

/** Raw answers in the form of flags. A missing one gets its default. */
export interface RawAnswers extends Omit<ConfigFlags, 'warehouse'> {
  studies?: readonly string[] | undefined
  monthlyCalls?: string | undefined
}

/** An answer that some datasets need: its default, and the question for it when it is a plain text. */
interface Need {
  key: 'coins' | 'exchanges' | 'derivativeExchanges' | 'tokens' | 'queries' | 'granularity'
  isNeeded: (dataset: Dataset) => boolean
  fallback: string
  question?: string
}

const requires =
  (key: OrderKey) =>
  (dataset: Dataset): boolean =>
    keyUse(dataset, key) === 'required'

export const NEEDS: readonly Need[] = [
  { key: 'coins', isNeeded: requires('coins'), fallback: DEFAULTS.coins },
  {
    key: 'exchanges',
    isNeeded: ({ entity }) => entity === 'exchange',
    fallback: 'binance,kraken',
    question: 'Which exchanges? (ids, separated by commas)',
  },
  {
    key: 'derivativeExchanges',
    isNeeded: ({ entity }) => entity === 'derivative_exchange',
    fallback: 'binance_futures',
    question: 'Which exchanges of derivatives? (ids, separated by commas)',
  },
  {
    key: 'tokens',
    isNeeded: requires('tokens'),
    fallback: 'ethereum/0xdac17f958d2ee523a2206206994597c13d831ec7',
    question: 'Which tokens? (platform/address, separated by commas)',
  },
  {
    key: 'queries',
    isNeeded: requires('queries'),
    fallback: 'bitcoin',
    question: 'What is searched for? (texts, separated by commas)',
  },
  {
    key: 'granularity',
    isNeeded: ({ granularities }) => granularities.includes(DEFAULTS.granularity),
    fallback: DEFAULTS.granularity,
  },
]

/**
 * The configuration with these answers and the needed defaults as its flags, checked by its own rules.
 *
 * @throws InvalidConfigError whose problems name the flags
 */
export function checkAnswers(raw: RawAnswers, nowMs: number): Config {
  const { studies: _, monthlyCalls: __, ...said } = raw
  const names = chosenDatasets(raw)
  const chosen = datasets.filter(({ name }) => names.includes(name))
  const profile = raw.profile ?? DEFAULTS.profile
  const known = Object.values(profiles).find(({ name }) => name === profile)
  const flags: ConfigFlags = { ...said, profile, datasets: names }
  if (known?.defaultBaseUrl === null) flags.baseUrl ??= DEFAULTS.baseUrl
  if (chosen.some(requires('from'))) flags.from ??= defaultFrom(nowMs, profile)
  for (const { key, isNeeded, fallback } of NEEDS) {
    if (chosen.some(isNeeded)) flags[key] ??= fallback
  }
  const calls = monthlyCallsOf(raw)
  const text = calls === null ? '{}' : `source: { monthly_calls: ${calls} }`
  const config = parseConfig({ file: 'coinlake.yaml', flags, env: {}, datasets }, text)
  wantedFromConfig(config, datasets, frozenClock(nowMs))
  return config
}

/** The problems of these answers, in one line; undefined = none. */
export function problemOf(raw: RawAnswers, nowMs: number): string | undefined {
  try {
    checkAnswers(raw, nowMs)
    return undefined
  } catch (error) {
    if (!(error instanceof InvalidConfigError)) throw error
    return error.problems.map(({ what, hint }) => `${what}. ${hint}`).join(' ')
  }
}

/** The named datasets and those of the studies; without either, those of the default studies. */
export function chosenDatasets(raw: RawAnswers): string[] {
  const studied = raw.studies ?? (raw.datasets === undefined ? DEFAULTS.studies : [])
  return [...new Set([...(raw.datasets ?? []), ...datasetsOfStudies(studied, datasets)])]
}

function monthlyCallsOf({ monthlyCalls = '' }: RawAnswers): number | null {
  const text = monthlyCalls.trim()
  if (text === '') return null
  const calls = Number(text)
  if (/^[0-9]+$/.test(text) && calls >= 1 && calls <= MAX_CALLS) return calls
  throw new InvalidConfigError([
    {
      where: 'flag --monthly-calls',
      code: 'CONFIG_BAD_VALUE',
      what: `the calls of a month must be a whole number from 1 to ${MAX_CALLS}, not ${JSON.stringify(text)}`,
      hint: 'Write the calls of the plan of the key, such as 10000.',
    },
  ])
}
