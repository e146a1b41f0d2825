import type { MarketCoin } from './coin-universe.ts'
import { BTC, ETH, USD } from './currency-list.ts'
import type { MarketExchange } from './exchange-universe.ts'
import { imageUrl, sumOf, type Body, type ExchangeBodies, type Market } from './market-entries.ts'
import { quotesOf, type Quote } from './tickers.ts'
import { knotAt } from './time-grid.ts'

/**
 * A coin's volume is divided among its quotes as a base, so that those tickers add up to it. An exchange's volume is the
 * sum of its good tickers. Tickers are made on request, because they take ten times the memory of quotes.
 */
export function exchangeBodies(market: Market): ExchangeBodies {
  const { exchanges } = market
  const quotes = exchanges.map((exchange) => quotesOf(market, exchange))
  const ofBases = Map.groupBy(quotes.flat(), ({ base }) => base.id)
  const ofTargets = Map.groupBy(quotes.flat(), ({ target }) => target.coin?.id)
  const weights = new Map(Array.from(ofBases, ([id, own]) => [id, sumOf(own, 'weight')]))
  const tickersOf = (some: readonly Quote[]): Body[] =>
    some.map((quote) => tickerBody(market, quote, quote.weight / weights.get(quote.base.id)!))
  return {
    exchanges: exchanges.map((exchange, place) =>
      statsBody(exchange, place + 1, tickersOf(quotes[place]!)),
    ),
    tickersOf: (exchangeId) => {
      const place = exchanges.findIndex(({ id }) => id === exchangeId)
      const exchange = exchanges[place]
      return exchange === undefined
        ? null
        : { name: exchange.name, tickers: tickersOf(quotes[place]!) }
    },
    coinTickers: (coinId) => tickersOf([ofBases, ofTargets].flatMap((of) => of.get(coinId) ?? [])),
  }
}

function statsBody(exchange: MarketExchange, rank: number, tickers: readonly Body[]): Body {
  const good = tickers.filter((ticker) => ticker['is_stale'] === false && !ticker['is_anomaly'])
  const volumes = good.map((ticker) => ticker['converted_volume'] as { btc: number })
  return {
    id: exchange.id,
    name: exchange.name,
    year_established: exchange.yearEstablished,
    country: exchange.country,
    description: exchange.description,
    url: `https://${exchange.id}.market.example/`,
    image: logoOf(exchange),
    has_trading_incentive: exchange.hasTradingIncentive,
    trust_score: exchange.trustScore,
    trust_score_rank: exchange.trustScore === null ? null : rank,
    trade_volume_24h_btc: sumOf(volumes, 'btc'),
  }
}

function tickerBody({ spec, prices, entriesIn }: Market, quote: Quote, share: number): Body {
  const { exchange, base, target } = quote
  const knot = knotAt(spec.nowMs)
  const entry = entriesIn(USD).get(base.id)!
  const volumeUsd = entry.total_volume * share
  const inAll = (amountUsd: number): Record<string, number> => ({
    btc: amountUsd * prices.perUsd(BTC, knot),
    eth: amountUsd * prices.perUsd(ETH, knot),
    usd: amountUsd,
  })
  const traded = isoSeconds(quote.tradedAtMs)
  return {
    base: baseText(base, exchange),
    target: target.coin === null ? target.currency!.code.toUpperCase() : symbolText(target.coin),
    market: {
      name: exchange.name,
      identifier: exchange.id,
      has_trading_incentive: exchange.hasTradingIncentive ?? false,
      logo: logoOf(exchange),
    },
    last: quote.last,
    volume: volumeUsd / quote.lastUsd,
    cost_to_move_up_usd: volumeUsd * 0.01,
    cost_to_move_down_usd: volumeUsd * 0.009,
    converted_last: inAll(quote.lastUsd),
    converted_volume: inAll(volumeUsd),
    trust_score: null,
    bid_ask_spread_percentage: quote.spreadPercent,
    timestamp: traded,
    last_traded_at: traded,
    last_fetch_at: isoSeconds(Math.floor(spec.nowMs / 1_000) * 1_000),
    is_anomaly: quote.isAnomaly,
    is_stale: quote.isStale,
    trade_url: exchange.isDecentralised ? null : `https://${exchange.id}.market.example/trade`,
    token_info_url: null,
    coin_id: base.id,
    // The source leaves the key out when the target is not a coin.
    ...(target.coin === null ? {} : { target_coin_id: target.coin.id }),
    coin_mcap_usd: entry.market_cap,
  }
}

function baseText(base: MarketCoin, exchange: MarketExchange): string {
  const address = base.platforms['ethereum']
  return exchange.isDecentralised && address !== undefined
    ? address.toUpperCase()
    : symbolText(base)
}

/** The symbol of a coin in tickers; its id if it has none. */
function symbolText(coin: MarketCoin): string {
  return (coin.symbol === '' ? coin.id : coin.symbol).toUpperCase()
}

function logoOf(exchange: MarketExchange): string {
  return imageUrl('exchanges', exchange.index, 'small/image.png')
}

/** Tickers write times as `2024-04-08T04:02:01+00:00`. */
function isoSeconds(ms: number): string {
  return new Date(ms).toISOString().replace('.000Z', '+00:00')
}
