import { selectorText } from '../../config/coin-selector.ts'
import type { Config, DatasetConfig } from '../../config/config.ts'
import type { ConfigFlags } from '../../config/config-flags.ts'
import { InvalidConfigError } from '../../config/config-problem.ts'
import type { ConfigGranularity, DatasetShape } from '../../config/dataset-shape.ts'
import type { InitAnswers } from '../../config/init-template.ts'
import { parseConfig } from '../../config/load-config.ts'
import { profiles } from '../../config/profiles.ts'
import { formatUtc } from '../../config/utc-date.ts'

/** Raw answers, each as a flag would say it; what is not said gets a default. */
export type RawAnswers = Pick<
  ConfigFlags,
  'profile' | 'baseUrl' | 'datasets' | 'coins' | 'exchanges' | 'vs' | 'granularity' | 'from'
>

/** Where `coinlake serve` listens: a first try needs no service of anybody else. */
export const LOCAL_SERVICE = 'http://127.0.0.1:8400'
/** Small, quick, and enough for prices by rank. */
export const DEFAULT_DATASETS = ['coins', 'coin_markets', 'market_chart']
export const DEFAULT_COINS = ['bitcoin', 'ethereum']
const DEFAULT_GRANULARITY = '1d'
const DAY_MS = 86_400_000
/** The longest history that the smallest plan we know answers. */
const DEFAULT_HISTORY_DAYS = 365

/** The start of histories when none is said: a year back, at midnight UTC. */
export function defaultFrom(nowMs: number): string {
  return formatUtc(Math.floor(nowMs / DAY_MS - DEFAULT_HISTORY_DAYS) * DAY_MS)
}

/**
 * The answers, checked by the rules of the configuration itself.
 *
 * @throws InvalidConfigError whose problems name the flags
 */
export function checkAnswers(
  raw: RawAnswers,
  shapes: readonly DatasetShape[],
  nowMs: number,
): InitAnswers {
  const config = parseAnswers(raw, shapes)
  const chosen = Object.values(config.datasets)
  const [coins, exchanges] = [firstOf(chosen, 'coins'), firstOf(chosen, 'exchanges')]
  const fromMs = firstOf(chosen, 'fromMs')
  const granularity = granularityOf(raw, chosen)
  return {
    profile: config.source.profile.name,
    baseUrl: config.source.baseUrl,
    coins: coins === null ? DEFAULT_COINS : 'ids' in coins ? coins.ids : [selectorText(coins)],
    vsCurrencies: chosen.find((one) => one.vsCurrencies.length > 0)?.vsCurrencies ?? ['usd'],
    granularity,
    from: fromMs === null ? defaultFrom(nowMs) : formatUtc(fromMs),
    datasets: Object.keys(config.datasets),
    ...(exchanges === null ? {} : { exchanges }),
  }
}

/** What is wrong with one answer, in one line; undefined when nothing is. */
export function problemOf(raw: RawAnswers, shapes: readonly DatasetShape[]): string | undefined {
  try {
    parseAnswers(raw, shapes)
    return undefined
  } catch (error) {
    if (!(error instanceof InvalidConfigError)) throw error
    return error.problems.map(({ what, hint }) => `${what}. ${hint}`).join(' ')
  }
}

/** An empty file with every answer as a flag over it. */
function parseAnswers(raw: RawAnswers, shapes: readonly DatasetShape[]): Config {
  const known = Object.values(profiles).find(({ name }) => name === (raw.profile ?? 'interface'))
  const needsUrl = known !== undefined && known.defaultBaseUrl === null
  const flags: ConfigFlags = {
    ...raw,
    profile: raw.profile ?? 'interface',
    baseUrl: raw.baseUrl ?? (needsUrl ? LOCAL_SERVICE : undefined),
    datasets: raw.datasets ?? DEFAULT_DATASETS,
  }
  return parseConfig({ file: 'coinlake.yaml', flags, env: {}, datasets: shapes }, '{}\n')
}

function firstOf<K extends 'coins' | 'exchanges' | 'fromMs'>(
  chosen: readonly DatasetConfig[],
  key: K,
): DatasetConfig[K] | null {
  return chosen.map((dataset) => dataset[key]).find((value) => value !== null) ?? null
}

/** The one the flag set; a dataset that does not offer it has its own first one by then. */
function granularityOf(raw: RawAnswers, chosen: readonly DatasetConfig[]): ConfigGranularity {
  const found = chosen.map(({ granularity }) => granularity).filter((one) => one !== '')
  if (raw.granularity === undefined) return DEFAULT_GRANULARITY
  const wanted = { hourly: '1h', daily: '1d' }[raw.granularity] ?? raw.granularity
  return found.find((one) => one === wanted) ?? DEFAULT_GRANULARITY
}
