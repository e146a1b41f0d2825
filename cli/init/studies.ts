import type { OperationId } from '../../api/operations.ts'
import { InvalidConfigError } from '../../config/config-problem.ts'
import { hintFor } from '../../config/values/did-you-mean.ts'
import type { Dataset } from '../../datasets/dataset.ts'

/** A topic of research, and the operations that answer it. */
interface Study {
  name: string
  /** For a list. Short, because the calls stand beside it. */
  title: string
  /** The other contents of the study. */
  hint: string
  /** The study has each dataset that asks one of these operations; null = all datasets. */
  operations: readonly OperationId[] | null
}

/** The studies of `coinlake init`. Operations choose datasets, so new datasets join by themselves. */
export const studies: readonly Study[] = [
  {
    name: 'prices',
    title: 'Prices and market caps',
    hint: "over years, with volumes; today's ranks",
    operations: ['coins/list', 'coins/markets', 'coins/{id}/market_chart/range'],
  },
  {
    name: 'candles',
    title: 'Candles',
    hint: 'open, high, low, close',
    operations: ['coins/list', 'coins/{id}/ohlc'],
  },
  {
    name: 'exchanges',
    title: 'What is traded where',
    hint: 'exchanges, pairs, spreads, volumes',
    operations: [
      'exchanges',
      'exchanges/{id}',
      'exchanges/{id}/tickers',
      'exchanges/{id}/volume_chart',
      'exchange_rates',
    ],
  },
  {
    name: 'market',
    title: 'The whole market, daily',
    hint: 'ranks, categories, dominance, DeFi',
    operations: [
      'coins/list',
      'coins/markets',
      'coins/categories/list',
      'coins/categories',
      'global',
      'global/decentralized_finance_defi',
    ],
  },
  {
    name: 'coins',
    title: 'Single coins in depth',
    hint: 'details, links, developers, where each is traded',
    operations: ['coins/list', 'coins/{id}', 'coins/{id}/tickers'],
  },
  {
    name: 'days',
    title: 'Single coins, day by day',
    hint: 'each past day in every currency, with community and developers',
    operations: ['coins/list', 'coins/{id}/history'],
  },
  {
    name: 'quotes',
    title: 'Latest prices',
    hint: 'in many currencies, for portfolios and conversion',
    operations: ['simple/price', 'simple/supported_vs_currencies', 'exchange_rates'],
  },
  {
    name: 'tokens',
    title: 'Tokens by address',
    hint: 'contracts: details, prices over time, platforms',
    operations: [
      'asset_platforms',
      'coins/{id}/contract/{contract_address}',
      'coins/{id}/contract/{contract_address}/market_chart/range',
      'simple/token_price/{id}',
    ],
  },
  {
    name: 'derivatives',
    title: 'Derivatives',
    hint: 'funding, open interest, exchanges',
    operations: ['derivatives', 'derivatives/exchanges', 'derivatives/exchanges/{id}'],
  },
  {
    name: 'attention',
    title: 'What people look for',
    hint: 'trending coins, search',
    operations: ['search/trending', 'search'],
  },
  {
    name: 'everything',
    title: 'Faithful copy of it all',
    hint: 'every dataset there is',
    operations: null,
  },
]

/**
 * Names of the datasets of these studies, in the order of `datasets`.
 *
 * @throws InvalidConfigError CONFIG_UNKNOWN_STUDY
 */
export function datasetsOfStudies(
  names: readonly string[],
  datasets: readonly Pick<Dataset, 'name' | 'operations'>[],
): string[] {
  const chosen = names.map(studyNamed)
  return datasets
    .filter((dataset) =>
      chosen.some(
        ({ operations }) =>
          operations === null || dataset.operations.some((id) => operations.includes(id)),
      ),
    )
    .map(({ name }) => name)
}

function studyNamed(name: string): Study {
  const found = studies.find((study) => study.name === name)
  if (found !== undefined) return found
  const names = studies.map((study) => study.name)
  throw new InvalidConfigError([
    {
      where: 'flag --study',
      code: 'CONFIG_UNKNOWN_STUDY',
      what: `there is no study ${JSON.stringify(name)}`,
      hint: hintFor(name, names, `Studies: ${names.join(', ')}.`),
    },
  ])
}
