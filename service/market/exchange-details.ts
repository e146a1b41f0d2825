import { GRANULARITY_MS } from '../../api/granularity.ts'
import { stepOf, VOLUME_STEPS } from '../../api/step-rules.ts'
import { decimalText } from './global-bodies.ts'
import type { Body, Market } from './market-entries.ts'
import { gaussian, streamSeed } from './random.ts'

/** Most tickers in the details of an exchange. */
const TICKERS_IN_DETAILS = 100
/** The finest step. The volume at one time is the same in every granularity. */
const VOLUME_STEP_MS = GRANULARITY_MS['10m']
/** Deviation of an exchange's volume, as a share. */
const VOLUME_DEVIATION = 0.02

/** The body of exchanges/{id}: its row in the listing, links, counts, and its first tickers. */
export function exchangeDetailsBody(market: Market, id: string): Body | null {
  const bodies = market.exchangeBodies()
  const place = market.exchanges.findIndex((one) => one.id === id)
  const exchange = market.exchanges[place]
  if (exchange === undefined) return null
  const { id: _, ...stats } = bodies.exchanges[place]!
  const { tickers } = bodies.tickersOf(id)!
  return {
    ...stats,
    facebook_url: '',
    reddit_url: exchange.index % 2 === 0 ? `https://forum.market.example/${id}` : '',
    telegram_url: '',
    slack_url: '',
    other_url_1: `https://blog.market.example/${id}`,
    other_url_2: '',
    twitter_handle: id,
    has_trading_incentive: exchange.hasTradingIncentive ?? false,
    centralized: !exchange.isDecentralised,
    public_notice: '',
    alert_notice: exchange.trustScore === null ? 'Nobody knows who runs this exchange.' : '',
    coins: new Set(tickers.map((ticker) => ticker['coin_id'])).size,
    pairs: tickers.length,
    tickers: tickers.slice(0, TICKERS_IN_DETAILS),
    status_updates: [],
  }
}

/**
 * The body of exchanges/{id}/volume_chart: 24-hour volumes in BTC near that of the listing, as long decimals. Exchanges of
 * derivatives have one, too.
 */
export function volumeChartBody(
  { spec, exchangeBodies, derivativeBodies }: Market,
  id: string,
  days: number,
): [number, string][] | null {
  const listed = [...exchangeBodies().exchanges, ...derivativeBodies().exchanges]
  const exchange = listed.find((one) => one['id'] === id)
  if (exchange === undefined) return null
  const volumeBtc = Number(exchange['trade_volume_24h_btc'])
  const random = streamSeed(spec.seed, `exchange volume ${id}`)
  const stepMs = GRANULARITY_MS[stepOf(VOLUME_STEPS, days)]
  const lastStep = Math.floor(spec.nowMs / stepMs)
  const steps = (days * GRANULARITY_MS['1d']) / stepMs
  return Array.from({ length: steps }, (_, place) => {
    const atMs = (lastStep - steps + 1 + place) * stepMs
    const moved = volumeBtc * (1 + VOLUME_DEVIATION * gaussian(random, atMs / VOLUME_STEP_MS))
    return [atMs, decimalText(moved)]
  })
}
