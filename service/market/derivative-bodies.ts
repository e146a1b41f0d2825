import { decimalText } from './global-bodies.ts'
import { BTC, ETH, USD, type Currency } from './currency-list.ts'
import { imageUrl, sumOf, type Body, type DerivativeBodies, type Market } from './market-entries.ts'
import { gaussian, streamSeed, uniform, wholeBelow } from './random.ts'
import { dayAt, knotAt } from './time-grid.ts'

type Contract = ReturnType<typeof contractsOf>[number]
type Venue = (typeof DERIVATIVE_EXCHANGES)[number]

/** The exchanges of the simulated market that trade derivatives. */
export const DERIVATIVE_EXCHANGES = [
  { id: 'binance_futures', name: 'Binance (Futures)', country: 'Cayman Islands', year: 2019 },
  { id: 'kraken_futures', name: 'Kraken (Futures)', country: 'United States', year: 2014 },
  { id: 'perp-dex', name: 'Perp "DEX"', country: null, year: null },
]
/** Only the first coins of the market have contracts. Every third of them also has a dated one. */
const COINS_WITH_CONTRACTS = 15
const DATED_EVERY = 3
const PERCENT_SCALE = 1e6
const DAYS_TO_EXPIRY = 45

export function derivativeBodies(market: Market): DerivativeBodies {
  const perUsd = (currency: Currency): number =>
    market.prices.perUsd(currency, knotAt(market.spec.nowMs))
  const [btcPerUsd, ethPerUsd] = [perUsd(BTC), perUsd(ETH)]
  const converted = (usd: number): Body => ({
    btc: decimalText(usd * btcPerUsd),
    eth: decimalText(usd * ethPerUsd),
    usd: decimalText(usd),
  })
  const venues = DERIVATIVE_EXCHANGES.map((venue, place) => {
    const contracts = contractsOf(market, place)
    return { venue, contracts, stats: statsOf(venue, contracts, btcPerUsd) }
  })
  return {
    tickers: venues.flatMap(({ venue, contracts }) =>
      contracts.map((contract) => marketTicker(venue, contract)),
    ),
    exchanges: venues
      .map(({ venue, stats }): Body => ({ ...stats, id: venue.id }))
      .sort((a, b) => Number(b['open_interest_btc'] ?? 0) - Number(a['open_interest_btc'] ?? 0)),
    details: new Map(
      venues.map(({ venue, contracts, stats }) => {
        const tickers = contracts.map((contract) => venueTicker(venue.id, contract, converted))
        return [venue.id, { ...stats, tickers }]
      }),
    ),
  }
}

function contractsOf({ spec, coins, entriesIn }: Market, place: number) {
  const day = dayAt(spec.nowMs)
  return coins.slice(0, COINS_WITH_CONTRACTS).flatMap((coin) => {
    if (coin.isPegged) return []
    const isDatedToo = coin.index % DATED_EVERY === 0
    return (isDatedToo ? [true, false] : [true]).map((isPerpetual) => {
      const purpose = `contract ${place} ${isPerpetual ? 'perpetual' : 'futures'} ${day}`
      const random = streamSeed(spec.seed, purpose, coin.index)
      const entry = entriesIn(USD).get(coin.id)!
      const last = entry.current_price * (1 + 0.0006 * gaussian(random, 0))
      const isLost = uniform(random, 1) < 0.1
      const ageS = wholeBelow(random, 2, 600)
      return {
        coin,
        // A coin without a symbol has contracts without one, as in some real rows.
        symbol:
          coin.symbol === '' ? '' : `${coin.symbol.toUpperCase()}USDT${isPerpetual ? '' : '_Q'}`,
        isPerpetual,
        /** USD. */
        last,
        /** The spot price in USD. */
        index: entry.current_price,
        /** Change of the spot price in 24 hours, percent. */
        change: entry.price_change_percentage_24h,
        fundingRate: isPerpetual ? rounded(0.01 * gaussian(random, 3)) : 0,
        spread: rounded(0.01 + 0.05 * uniform(random, 4)),
        openInterestUsd: isLost ? null : entry.total_volume * (0.1 + uniform(random, 5)),
        /** Units of the coin. */
        volume: (entry.total_volume / entry.current_price) * (0.2 + 0.5 * uniform(random, 6)),
        tradedAtS: Math.floor(spec.nowMs / 1_000) - ageS,
        expiredAtS: isPerpetual ? null : (day + DAYS_TO_EXPIRY) * 86_400,
      }
    })
  })
}

function marketTicker({ name }: Venue, contract: Contract): Body {
  const { coin, symbol, last, index } = contract
  return {
    market: name,
    symbol,
    index_id: coin.symbol.toUpperCase(),
    price: plainText(last),
    price_percentage_change_24h: contract.change,
    contract_type: contract.isPerpetual ? 'perpetual' : 'futures',
    index,
    basis: basisOf(contract),
    spread: contract.spread,
    funding_rate: contract.fundingRate,
    open_interest: contract.openInterestUsd,
    volume_24h: contract.volume * last,
    last_traded_at: contract.tradedAtS,
    expired_at: contract.expiredAtS,
  }
}

/** The shortest decimal text. The source writes no exponents. */
function plainText(value: number): string {
  return value.toLocaleString('en-US', { maximumSignificantDigits: 15, useGrouping: false })
}

function venueTicker(venueId: string, contract: Contract, converted: (usd: number) => Body): Body {
  const { coin, symbol, last, index } = contract
  return {
    symbol,
    base: coin.symbol.toUpperCase(),
    target: 'USDT',
    coin_id: coin.id,
    target_coin_id: 'tether',
    trade_url: `https://${venueId}.market.example/trade`,
    contract_type: contract.isPerpetual ? 'perpetual' : 'futures',
    last,
    h24_percentage_change: contract.change,
    index,
    index_basis_percentage: basisOf(contract),
    bid_ask_spread: contract.spread / 100,
    funding_rate: contract.fundingRate,
    open_interest_usd: contract.openInterestUsd,
    h24_volume: contract.volume,
    converted_volume: converted(contract.volume * last),
    converted_last: converted(last),
    last_traded: contract.tradedAtS,
    expired_at: contract.expiredAtS,
  }
}

/** The body of one venue, with the sums of its contracts in BTC. */
function statsOf(
  { id, name, year, country }: Venue,
  contracts: readonly Contract[],
  btcPerUsd: number,
): Body {
  const volumes = contracts.map(({ volume, last }) => ({ usd: volume * last }))
  const perpetuals = contracts.filter(({ isPerpetual }) => isPerpetual).length
  return {
    name,
    open_interest_btc:
      contracts.length === 0 ? null : sumOf(contracts, 'openInterestUsd') * btcPerUsd,
    trade_volume_24h_btc: (sumOf(volumes, 'usd') * btcPerUsd).toFixed(2),
    number_of_perpetual_pairs: perpetuals,
    number_of_futures_pairs: contracts.length - perpetuals,
    image: imageUrl('exchanges', id, 'small/image.png'),
    year_established: year,
    country,
    description: '',
    url: `https://${id}.market.example/`,
  }
}

/** The distance of the contract's price from the spot price, in percent of the spot price. */
function basisOf({ last, index }: Contract): number {
  return rounded((last / index - 1) * 100)
}

function rounded(value: number): number {
  // + 0 turns -0 into 0, as JSON.stringify does.
  return Math.round(value * PERCENT_SCALE) / PERCENT_SCALE + 0
}
