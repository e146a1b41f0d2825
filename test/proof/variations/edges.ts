import type { Variations } from './variation.ts'

/** Bodies whose shape is the oddity: empty lists, sections that are null, a day without data. */
export const EDGES: Variations = {
  'coins-list-platforms--variation.json': {
    text: `[{"id": "_", "symbol": "true", "name": " ", "platforms": {"": "", "a.b \\"c\\"": "0xAbC", "solana": null}},
  {"id": "null platforms", "symbol": "NULL", "name": "null", "platforms": null},
  {"id": "1e3", "symbol": "1e3", "name": "1e3"}]`,
  },
  'coins-id-tickers-none--variation.json': { text: `{"name": "Trades nowhere", "tickers": []}` },
  'coins-id-tickers-twice--variation.json': {
    text: `{"name": "T", "tickers": [{"base": "", "target": "USD", "market": {"identifier": null}, "coin_id": null},
  {"base": "BTC", "target": "USD", "coin_id": "bitcoin", "market": null, "mood": [1.0]},
  {"base": "BTC", "target": "USD", "coin_id": "bitcoin", "market": null, "mood": [2.0]}]}`,
    unknownPaths: { '$.tickers[*].mood': 2 },
  },
  'coins-id-hollow--variation.json': {
    text: `{"id": "hollow", "symbol": "", "name": "", "platforms": null, "detail_platforms": {"none": null},
  "categories": null, "categories_details": null, "localization": {"__proto__": "a", "": "c"}, "description": null,
  "links": {"homepage": null, "blockchain_site": [], "repos_url": {"github": null, "gitlab": ["l"]}}, "image": {},
  "market_data": {"current_price": null, "total_value_locked": null, "roi": null, "ath": {"usd": null},
    "ath_date": {"usd": null, "eur": null}, "market_cap": {}}, "community_data": null,
  "developer_data": {"code_additions_deletions_4_weeks": null}, "public_interest_stats": {}}`,
    unknownPaths: { '$.links.repos_url.gitlab': 1 },
  },
  'coins-id-history-without-market--variation.json': {
    text: `{"id": "quiet", "symbol": "q", "name": "Quiet", "localization": null, "market_data": null,
  "community_data": {"reddit_accounts_active_48h": 5}, "developer_data": null}`,
  },
  'coins-id-history-unknown-day--variation.json': {
    text: `{"id": "later", "symbol": "l", "name": "Later", "localization": {"en": "Later"},
  "image": {"thumb": "t", "small": "s"}}`,
  },
  'coins-categories-uneven--variation.json': {
    text: `[{"id": "big", "top_3_coins_id": ["a b", "_"], "top_3_coins": ["x.png", "y.png", "z.png"]},
  {"id": "lists", "top_3_coins_id": null, "top_3_coins": ["only.png"]}]`,
  },
  'coins-categories-none--variation.json': { text: '[]' },
  'derivatives-none--variation.json': { text: '[]' },
  'exchanges-id-tickers-none--variation.json': { text: `{"name": "Börse", "tickers": []}` },
  'exchange_rates-none--variation.json': { text: `{"rates": {}}` },
  'exchange_rates-keys--variation.json': {
    text: `{"rates": {"ɱ-x.y": {"name": "Ten", "unit": "", "value": 1e0, "type": "fiat"}}}`,
  },
  'global-hollow--variation.json': {
    text: `{"data": {"total_market_cap": {"": 1e-9, "x y": null}, "total_volume": null, "market_cap_percentage": {}}}`,
  },
  'search-nothing--variation.json': { text: `{"coins": [], "exchanges": [], "categories": []}` },
  'search-numbers--variation.json': {
    text: `{"coins": [], "exchanges": [], "categories": [{"id": 12, "name": "Old number"}], "icos": [{"name": null, "links": {}}], "mood": []}`,
    unknownPaths: { '$.mood': 1, '$.icos[*].links': 1 },
  },
  'search-trending-hollow--variation.json': {
    text: `{"coins": [{"item": {"id": "_", "data": null}}, {"item": {"id": "old", "data": {"price_change_percentage_24h": {}}}}],
  "nfts": [{"id": "bare"}], "categories": [{"id": 0, "data": null}], "exchanges": [{"id": "ftx", "n": 1.0}]}`,
  },
}
