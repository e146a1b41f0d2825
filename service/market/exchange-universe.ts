import { streamSeed, uniform, wholeBelow } from './random.ts'

/** An exchange of the simulated market, without its pairs. */
export type MarketExchange = ReturnType<typeof exchangeAt>

type Known = readonly [id: string, name: string, country: string, year: number]

const KNOWN: readonly Known[] = [
  ['binance', 'Binance', 'Cayman Islands', 2017],
  ['gdax', 'Coinbase Exchange', 'United States', 2012],
  ['kraken', 'Kraken', 'United States', 2011],
  ['bitstamp', 'Bitstamp', 'Luxembourg', 2013],
  ['bitfinex', 'Bitfinex', 'British Virgin Islands', 2014],
]
const COUNTRIES = ['Singapore', 'Japan', 'Estonia', 'Switzerland', 'Seychelles', 'Brazil']
const FIRST_YEAR = 2012
const YEARS = 12
const MAX_TRUST = 10
/** Every 10th exchange is decentralised; every 7th has no country and no year. */
const DECENTRALISED_EVERY = 10
const SILENT_EVERY = 7

/** The exchange at a place of the list. Markets of every size begin with the same exchanges. */
export function exchangeAt(seed: number, index: number) {
  const random = streamSeed(seed, 'exchange', index)
  const [id, name, country, year] = KNOWN[index] ?? generated(index, random)
  const isSilent = index % SILENT_EVERY === SILENT_EVERY - 1
  return {
    index,
    id,
    name,
    yearEstablished: isSilent ? null : year,
    country: isSilent ? null : country,
    description: isSilent ? '' : `${name}, an exchange of the simulated market.`,
    hasTradingIncentive: index % SILENT_EVERY === 3 ? null : false,
    trustScore: isSilent ? null : Math.max(1, MAX_TRUST - Math.floor(index / 3)),
    /** Whether the exchange names coins by contract address, as exchanges on a chain do. */
    isDecentralised: index % DECENTRALISED_EVERY === DECENTRALISED_EVERY - 1,
    /** Relative size, by which volumes are divided. */
    weight: (0.5 + uniform(random, 0)) / (index + 1),
  }
}

function generated(index: number, random: number): Known {
  const country = COUNTRIES[wholeBelow(random, 1, COUNTRIES.length)]!
  const year = FIRST_YEAR + wholeBelow(random, 2, YEARS)
  // Real ids have underscores or dashes.
  const id = index % 2 === 0 ? `market_${index + 1}` : `swap-${index + 1}`
  const name = index % 2 === 0 ? `Market ${index + 1}` : `Swap "${index + 1}"`
  return [id, name, country, year]
}
