import { DAY_MS } from '../../config/values/duration.ts'
import type { MarketCoin } from './coin-universe.ts'
import type { Currency } from './currency-list.ts'
import { coinImage, type Body, type Market } from './market-entries.ts'
import { KNOTS_PER_DAY } from './time-grid.ts'

/**
 * The body of coins/{id}/history: the daily chart at 00:00 UTC of the day. Before the listing it has no market data.
 *
 * @param day counted from 1970.
 */
export function coinHistoryBody(
  { spec, currencies, prices }: Market,
  coin: MarketCoin,
  day: number,
): Body {
  const knot = day * KNOTS_PER_DAY
  const isKnown = day >= coin.listedDay && day * DAY_MS <= spec.nowMs
  const inEach = (figure: (currency: Currency) => number | null): Body =>
    Object.fromEntries(
      currencies.flatMap((currency): [string, number][] => {
        const value = figure(currency)
        return value === null ? [] : [[currency.code, value]]
      }),
    )
  return {
    id: coin.id,
    symbol: coin.symbol,
    name: coin.name,
    localization: { en: coin.name, de: coin.name, ja: `${coin.name}（模擬）` },
    image: { thumb: coinImage(coin, 'thumb'), small: coinImage(coin, 'small') },
    ...(isKnown
      ? {
          market_data: {
            current_price: inEach((currency) => prices.price(coin, currency, knot)),
            market_cap: inEach((currency) => prices.marketCap(coin, currency, knot)),
            total_volume: inEach((currency) => prices.volume24h(coin, currency, knot)),
          },
        }
      : {}),
    community_data: {
      facebook_likes: null,
      reddit_average_posts_48h: 0,
      reddit_average_comments_48h: 0,
      reddit_subscribers: null,
      // The source sends a number today, and sent a text in old answers.
      reddit_accounts_active_48h: day % 2 === 0 ? 0 : '99.0',
    },
    developer_data: {
      forks: null,
      stars: null,
      subscribers: null,
      total_issues: null,
      closed_issues: null,
      pull_requests_merged: null,
      pull_request_contributors: null,
      code_additions_deletions_4_weeks: { additions: null, deletions: null },
      commit_count_4_weeks: null,
    },
    public_interest_stats: { alexa_rank: null, bing_matches: null },
  }
}
