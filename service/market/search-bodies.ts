import type { OperationId } from '../../api/operations.ts'
import type { Row } from '../../datasets/dataset.ts'
import { catalogueBody, catalogueSelections } from '../../datasets/search/search-catalogues.ts'
import { capChangePercent } from './category-bodies.ts'
import { CATEGORIES, type MarketCategory } from './categories.ts'
import { coinFigures } from './coin-listings.ts'
import type { MarketCoin } from './coin-universe.ts'
import { BTC, USD } from './currency-list.ts'
import { decimalText, largestFirst } from './global-bodies.ts'
import { coinImage, imageUrl, sumOf, type Body, type Market } from './market-entries.ts'
import { trendingNfts } from './nft-bodies.ts'
import { streamSeed, uniform } from './random.ts'
import { dayAt, knotAt, KNOTS_PER_DAY } from './time-grid.ts'

/** The interface promises this number. */
const TRENDING_COINS = 7
const TRENDING_CATEGORIES = 3

/** The body of search, made of the market's listings as `coinlake serve` makes it of those of a warehouse. */
export function searchBody(market: Market, query: string): Body {
  const { spec } = market
  const listed = (operation: OperationId): Body[] =>
    market.body(operation, { vs_currency: USD.code }) as Body[]
  // In the order of the selections.
  const listings = [
    listed('coins/markets').toSorted((a, b) => capOf(b) - capOf(a)),
    listed('coins/list'),
    listed('exchanges/list'),
    listed('derivatives/exchanges/list'),
    listed('exchanges'),
    listed('derivatives/exchanges'),
    listed('coins/categories/list'),
    trendingNfts(spec.seed, dayAt(spec.nowMs)),
  ]
  const words = query.toLowerCase()
  const found = catalogueSelections(query, spec.nowMs).map(({ contains, limit }, at) => {
    const isFound = (row: Row): boolean =>
      contains!.columns.some((name) => `${row[name] ?? ''}`.toLowerCase().includes(words))
    return listings[at]!.map(asRow).filter(isFound).slice(0, limit)
  })
  return catalogueBody(found)
}

/** An entry of a listing as a row, whose column of the id has a name of its own in each table. */
function asRow(entry: Body): Row {
  const { id } = entry
  return { coin_id: id, exchange_id: id, nft_id: id, ...entry } as Row
}

function capOf(entry: Body): number {
  return Number(entry['market_cap'] ?? -1)
}

/** The body of search/trending: seven coins, others each day, and the first categories. */
export function trendingBody(market: Market): Body {
  const { spec, coins } = market
  const day = dayAt(spec.nowMs)
  const random = streamSeed(spec.seed, 'trending', day)
  const interest = (coin: MarketCoin): number => uniform(random, coin.index)
  const chosen = coins.toSorted((a, b) => interest(b) - interest(a)).slice(0, TRENDING_COINS)
  return {
    coins: chosen.map((coin, score) => ({ item: trendingCoin(market, coin, score) })),
    nfts: trendingNfts(spec.seed, day),
    categories: CATEGORIES.slice(0, TRENDING_CATEGORIES).map((category, index) =>
      trendingCategory(market, category, index),
    ),
  }
}

function trendingCoin(market: Market, coin: MarketCoin, score: number): Body {
  const usd = market.entriesIn(USD).get(coin.id)!
  const btc = coinFigures(market, coin, BTC)
  return {
    id: coin.id,
    coin_id: coin.index + 1,
    name: coin.name,
    symbol: coin.symbol.toUpperCase(),
    market_cap_rank: usd.market_cap_rank,
    thumb: coinImage(coin, 'thumb'),
    small: coinImage(coin, 'small'),
    large: coinImage(coin, 'large'),
    slug: coin.id,
    price_btc: btc.current_price,
    score,
    data: {
      price: usd.current_price,
      price_btc: decimalText(btc.current_price),
      price_change_percentage_24h: {
        btc: btc.price_change_percentage_24h,
        usd: usd.price_change_percentage_24h,
      },
      market_cap: dollarText(usd.market_cap ?? 0),
      market_cap_btc: decimalText(btc.market_cap ?? 0),
      total_volume: dollarText(usd.total_volume),
      total_volume_btc: decimalText(btc.total_volume),
      sparkline: imageUrl('coins', coin.index, 'sparkline.svg'),
      content: null,
    },
  }
}

function trendingCategory(market: Market, { id, name, has }: MarketCategory, index: number): Body {
  const entries = market.entriesIn(USD)
  const members = largestFirst(market.coins.filter(has), entries)
  const ofUsd = members.map((coin) => entries.get(coin.id)!)
  const ofBtc = members.map((coin) => coinFigures(market, coin, BTC))
  const change = capChangePercent(ofUsd) ?? 0
  return {
    id: 1_000 + index,
    name,
    market_cap_1h_change: 0.1 * (index + 1),
    slug: id,
    coins_count: String(members.length),
    data: {
      market_cap: sumOf(ofUsd, 'market_cap'),
      market_cap_btc: sumOf(ofBtc, 'market_cap'),
      total_volume: sumOf(ofUsd, 'total_volume'),
      total_volume_btc: sumOf(ofBtc, 'total_volume'),
      market_cap_change_percentage_24h: { btc: changeInBtc(market, change), usd: change },
      sparkline: imageUrl('categories', id, 'sparkline.svg'),
    },
  }
}

/** A change in dollars over 24 hours, in percent, as a change in bitcoins. */
function changeInBtc({ spec, prices }: Market, changeUsd: number): number {
  const knot = knotAt(spec.nowMs)
  const ratio = prices.perUsd(BTC, knot) / prices.perUsd(BTC, knot - KNOTS_PER_DAY)
  return ((1 + changeUsd / 100) * ratio - 1) * 100
}

/** Whole dollars as the source writes them: `$521,967,819`. */
function dollarText(value: number): string {
  return `$${Math.round(value).toLocaleString('en-US')}`
}
