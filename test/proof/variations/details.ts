import type { Variations } from './variation.ts'

/** Every documented key of the details of a coin, as null. */
const ALL_NULL = `{"id": "nulls", "symbol": "", "name": "", "web_slug": null, "asset_platform_id": null,
  "platforms": null, "detail_platforms": null, "block_time_in_minutes": null, "hashing_algorithm": null,
  "categories": null, "categories_details": null, "preview_listing": null, "public_notice": null,
  "additional_notices": null, "has_supply_breakdown": null, "localization": null, "description": null,
  "links": {"homepage": null, "whitepaper": null, "blockchain_site": null, "official_forum_url": null,
    "chat_url": null, "announcement_url": null, "snapshot_url": null, "twitter_screen_name": null,
    "facebook_username": null, "bitcointalk_thread_identifier": null, "telegram_channel_identifier": null,
    "subreddit_url": null, "repos_url": {"github": null, "bitbucket": null}},
  "image": {"thumb": null, "small": null, "large": null}, "country_origin": null, "genesis_date": null,
  "contract_address": null, "sentiment_votes_up_percentage": null, "sentiment_votes_down_percentage": null,
  "ico_data": null, "watchlist_portfolio_users": null, "market_cap_rank": null,
  "market_cap_rank_with_rehypothecated": null,
  "market_data": {"current_price": null, "total_value_locked": null, "mcap_to_tvl_ratio": null, "roi": null,
    "ath": {"usd": null}, "ath_date": {"usd": null, "eur": null}, "market_cap": {}, "max_supply_infinite": null,
    "last_updated": null, "sparkline_7d": null},
  "community_data": null, "developer_data": {"forks": null, "code_additions_deletions_4_weeks": null,
    "last_4_weeks_commit_activity_series": null}, "public_interest_stats": {"alexa_rank": null},
  "status_updates": null, "last_updated": null}`

/** As odd as details may be, with keys of all years. */
const ODD = `{"id": "montag-[old]", "symbol": "NULL", "name": "Montag \u{1f984} \\"q\\"", "asset_platform_id": "",
  "platforms": {"": "", "a.b \\"c\\"": "0xAbC", "ethereum": null},
  "detail_platforms": {"": {"decimal_place": null, "contract_address": ""},
    "ethereum": {"decimal_place": 18.0, "contract_address": "0x1", "geckoterminal_url": "https://x.test"},
    "new": {"decimal_place": 0, "mood": 1}, "none": null},
  "block_time_in_minutes": 0.1, "hashing_algorithm": "", "categories": ["A", null, "C"],
  "categories_details": [{"id": "a", "name": "A"}, {"name": null}, {"id": "c", "mood": []}, {"id": "d", "name": "D"}],
  "additional_notices": ["one", {"n": [1.0, 1e21]}], "country_origin": "ÖS", "genesis_date": "1969-12-31",
  "localization": {"en": "Montag", "de": null, "zh-tw": "", "x y": "\u{1f984}"},
  "description": {"en": "two\\r\\nlines <a href=\\"x\\">q</a>", "fr": null},
  "links": {"homepage": ["https://x.test", "", null], "blockchain_site": [], "chat_url": [""],
    "bitcointalk_thread_identifier": 9007199254740991, "subreddit_url": "", "facebook_username": "ü",
    "repos_url": {"github": ["g"], "gitlab": ["l"]}, "mood": "x"},
  "image": {"thumb": "missing_thumb.png", "huge": "h"}, "ico_data": {"n": 1.0, "a": [null, {}], "e": 1e-7},
  "sentiment_votes_up_percentage": -0.0, "watchlist_portfolio_users": 0, "coingecko_rank": 1,
  "coingecko_score": 41.286, "public_interest_score": 0.0, "status_updates": [{"d": "\\u0001", "n": 0.0}],
  "market_data": {"current_price": {"usd": 1e-18, "idr": 18446744073709551616, "x y": null},
    "ath": {"usd": 1.7976931348623157e308, "only": 5e-324}, "ath_change_percentage": {"usd": -0.0},
    "ath_date": {"usd": "2017-12-16T00:00:00.000Z", "only": "1969-12-31T23:59:59.999Z", "eur": "2024-02-29T00:00:00Z"},
    "atl_change_percentage": {"usd": 8.721952937706929e+36}, "price_change_percentage_1h_in_currency": {},
    "market_cap": {"vnd": 10604984537181484, "usd": 9007199254740993}, "roi": {"times": 1E2, "currency": "eth"},
    "total_value_locked": {"btc": 1e-8, "usd": null}, "market_cap_rank": 7.0, "max_supply": 1e30,
    "total_supply": 21000000.0, "max_supply_infinite": true, "price_change_24h": -1.034312375871936e+15,
    "last_updated": "2026-05-26T10:02:24.777Z", "sparkline_7d": {"price": [1e-18, 2.0, null]},
    "mood_by_currency": {"usd": 1}},
  "community_data": {"twitter_followers": 141420, "reddit_average_posts_48h": 0.0,
    "reddit_accounts_active_48h": "14074.0"},
  "developer_data": {"forks": 36426.0, "code_additions_deletions_4_weeks": {"additions": 1, "deletions": -2, "moved": 3},
    "last_4_weeks_commit_activity_series": [0, 1, 2.0]},
  "public_interest_stats": {"alexa_rank": 9440, "bing_matches": null}, "mood": null,
  "last_updated": "2026-05-26T10:02:24.777Z"}`

const ODD_PATHS = {
  '$.mood': 1,
  '$.links.mood': 1,
  '$.links.repos_url.gitlab': 1,
  '$.image.huge': 1,
  '$.market_data.mood_by_currency': 1,
  '$.detail_platforms.*.mood': 1,
  '$.categories_details[*].mood': 1,
  '$.developer_data.code_additions_deletions_4_weeks.moved': 1,
}

/** Details of coins and of contracts. */
export const DETAILS: Variations = {
  'coins-id-nulls--variation.json': { text: ALL_NULL },
  'coins-id-odd--variation.json': { text: ODD, unknownPaths: ODD_PATHS },
  'coins-id-bare--variation.json': {
    text: `{"id": "bare", "symbol": "b", "name": "Bare", "market_data": {"current_price": {}}, "image": {},
  "links": {"repos_url": {}}, "localization": {"__proto__": "a", "": "c"}}`,
  },
  'coins-id-contract-nulls--variation.json': { text: ALL_NULL },
  'coins-id-contract-odd--variation.json': { text: ODD, unknownPaths: ODD_PATHS },
}

/** Days of a coin's history. */
export const HISTORIES: Variations = {
  'coins-id-history-odd--variation.json': {
    text: `{"id": "montag", "symbol": "", "name": "", "localization": {"en": "M", "x": null, "n": "1.0"},
  "image": {"thumb": null, "small": "s.png", "huge": "h"}, "market_data": {
    "current_price": {"usd": 1e-18, "idr": 18446744073709551616, "x y": null, "": 1.0},
    "market_cap": {"usd": 0.0, "only": 10604984537181484}, "total_volume": {}},
  "community_data": {"facebook_likes": null, "reddit_accounts_active_48h": "99.0", "mood": 1},
  "developer_data": {"stars": 0, "code_additions_deletions_4_weeks": {"additions": null, "deletions": null},
    "last_4_weeks_commit_activity_series": []}, "public_interest_stats": {"alexa_rank": 74251.0}}`,
    unknownPaths: { '$.image.huge': 1, '$.community_data.mood': 1 },
  },
  'coins-id-history-without-market--variation.json': {
    text: `{"id": "quiet", "symbol": "q", "name": "Quiet", "localization": null, "market_data": null,
  "community_data": {"reddit_accounts_active_48h": 5}, "developer_data": null}`,
  },
  'coins-id-history-unknown-day--variation.json': {
    text: `{"id": "later", "symbol": "l", "name": "Later", "localization": {"en": "Later"},
  "image": {"thumb": "t", "small": "s"}}`,
  },
}
