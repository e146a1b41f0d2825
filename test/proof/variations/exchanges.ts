import type { Variations } from './variation.ts'

/** Exchanges, their pairs and the rates of currencies. */
export const EXCHANGES: Variations = {
  'exchanges-list-odd--variation.json': {
    text: `[{"id": "börse", "name": "Börse \u{1f3e6}"}, {"id": "", "name": null}]`,
  },
  'exchanges-odd--variation.json': {
    text: `[
  {"id": "börse", "name": "Börse", "year_established": null, "country": null, "description": "zwei\\nZeilen",
    "url": "https://x.test", "image": null, "has_trading_incentive": null, "trust_score": null,
    "trust_score_rank": null, "trade_volume_24h_btc": 1.5e-8, "trade_volume_24h_btc_normalized": 0},
  {"id": "zwei", "name": null, "year_established": 2014, "trust_score": 10, "trade_volume_24h_btc": 1E5}
]`,
  },
  'exchanges-id-nulls--variation.json': {
    text: `{"name": "Börse \u{1f3e6}", "year_established": null, "country": null, "description": null, "url": null,
  "image": null, "facebook_url": null, "reddit_url": null, "telegram_url": null, "slack_url": null,
  "other_url_1": null, "other_url_2": null, "twitter_handle": null, "has_trading_incentive": null,
  "centralized": null, "public_notice": null, "alert_notice": null, "trust_score": null,
  "trust_score_rank": null, "coins": null, "pairs": null, "trade_volume_24h_btc": null, "tickers": [],
  "status_updates": null}`,
  },
  'exchanges-id-bare--variation.json': {
    text: `{"name": "", "trade_volume_24h_btc": 9007199254740993, "centralized": false, "year_established": 2014.0,
  "mood": {"a": -0.0}, "status_updates": [{"description": "\\u0000 \\"x\\" \\\\ \u{1f984}", "pin": false,
    "n": [1.0, 1e21, 1e-7, 123456789012345680000], "project": {}, "list": []}, {}]}`,
    unknownPaths: { '$.mood': 1 },
  },
  'exchanges-id-tickers-odd--variation.json': {
    text: `{"name": "Börse \u{1f3e6}", "tickers": [
  {"base": "0XA0B86991C6218B36C1D19D4A2E9EB0CE3606EB48", "target": "ユーロ", "market": {"name": "Börse",
    "identifier": "börse", "has_trading_incentive": false}, "last": 1e-12, "volume": 1E+15,
    "converted_last": {"btc": 0, "eth": 1e-20, "usd": 0.0}, "converted_volume": {"btc": 1, "eth": 2, "usd": 3},
    "trust_score": null, "bid_ask_spread_percentage": null, "timestamp": "2024-04-08T04:02:01+00:00",
    "last_traded_at": null, "last_fetch_at": "2024-04-08T04:03:00+00:00", "is_anomaly": true, "is_stale": true,
    "trade_url": null, "token_info_url": null, "coin_id": null},
  {"base": "BTC", "target": "USD", "market": null, "last": null, "volume": null, "converted_last": null,
    "converted_volume": {"btc": null, "eth": 2, "usd": null}, "trust_score": "green",
    "bid_ask_spread_percentage": 0.01, "timestamp": null, "last_traded_at": "2024-04-08T06:02:01+02:00",
    "last_fetch_at": null, "is_anomaly": null, "is_stale": null, "trade_url": "https://x.test/?a=1&b=ü",
    "token_info_url": null, "coin_id": "bitcoin", "target_coin_id": "tether", "coin_mcap_usd": 1e12},
  {"base": "BTC", "target": "USD", "coin_id": "bitcoin"}
]}`,
  },
  'exchanges-id-tickers-none--variation.json': { text: `{"name": "Börse", "tickers": []}` },
  'exchange_rates-none--variation.json': { text: `{"rates": {}}` },
  'exchange_rates-odd--variation.json': {
    text: `{"rates": {
  "btc": {"name": "Bitcoin", "unit": "₿", "value": 1.0, "type": "crypto"},
  "vef": {"name": "Bolívar", "unit": "Bs.F", "value": 1e0, "type": "fiat"},
  "ɱ-x.y": {"name": null, "unit": "ɱ", "value": 5E-324, "type": "commodity"},
  "ten": {"name": "Ten", "unit": "", "value": null, "type": "crypto"}
}}`,
  },
}
