import type { Variations } from './variation.ts'

/** Listings of coins and of pairs. */
export const COINS: Variations = {
  'coins-list-odd--variation.json': {
    text: `[
  {"id": "монета №5", "symbol": "true", "name": "\u{1f984}", "platforms": {"": ""}},
  {"id": "_", "symbol": "", "name": " ", "platforms": {"a.b \\"c\\"": "0xAbC", "polygon-pos": "0x1"}},
  {"id": "unknown address", "symbol": "u", "name": "U", "platforms": {"solana": null, "base": "0x2", "x": ""}},
  {"id": "null platforms", "symbol": "n", "name": "N", "platforms": null},
  {"id": "no platforms", "symbol": "NULL", "name": "null"},
  {"id": "1e3", "symbol": "1e3", "name": "1e3", "platforms": {}}
]`,
  },
  'coins-markets-odd--variation.json': {
    text: `[
  {"id": "einhorn-\u{1f984}", "symbol": "null", "name": "Einhorn \u{1f984} \\"Q\\" 'q' \\\\", "image": "missing_large.png",
    "current_price": 1e-18, "market_cap": 1.2345678901234567e25, "market_cap_rank": 1,
    "fully_diluted_valuation": null, "total_volume": 18446744073709551616, "high_24h": 2.0e-18,
    "low_24h": 5e-324, "price_change_24h": -1.5E-19, "price_change_percentage_24h": -0.0,
    "market_cap_change_24h": 0, "market_cap_change_percentage_24h": 1e36, "circulating_supply": 9007199254740993,
    "total_supply": null, "max_supply": null, "ath": 1, "ath_change_percentage": -100.0,
    "ath_date": "2017-12-16T00:00:00.000Z", "atl": 0.1e-20, "atl_change_percentage": 9.9e99,
    "atl_date": "1969-12-31T23:59:59.999Z", "roi": {"times": 1e2, "currency": "eth", "percentage": 1.0e4},
    "last_updated": "2026-01-02T03:04:05.678Z", "market_cap_rank_with_rehypothecated": 2,
    "sparkline_in_7d": {"price": [1e-18, 2, 3.5e0]}, "price_change_percentage_1h_in_currency": null,
    "price_change_percentage_1y_in_currency": 12.5},
  {"id": "монета №5", "symbol": "", "name": "", "image": null, "current_price": null, "market_cap": null,
    "market_cap_rank": null, "fully_diluted_valuation": null, "total_volume": null, "high_24h": null,
    "low_24h": null, "price_change_24h": null, "price_change_percentage_24h": null,
    "market_cap_change_24h": null, "market_cap_change_percentage_24h": null, "circulating_supply": null,
    "total_supply": null, "max_supply": null, "ath": null, "ath_change_percentage": null, "ath_date": null,
    "atl": null, "atl_change_percentage": null, "atl_date": null, "roi": null, "last_updated": null}
]`,
  },
  'coins-id-tickers-odd--variation.json': {
    text: `{"name": "Einhorn \u{1f984}", "tickers": [
  {"base": "0XA0B86991C6218B36C1D19D4A2E9EB0CE3606EB48", "target": "ユーロ", "market": {"name": "Börse",
    "identifier": "börse", "has_trading_incentive": null, "logo": "missing.png"}, "last": 1e-12, "volume": 1E+15,
    "cost_to_move_up_usd": 0, "cost_to_move_down_usd": null,
    "converted_last": {"btc": 0, "eth": 1e-20, "usd": -0.0}, "converted_volume": {"btc": 1, "eth": 2, "usd": 9007199254740993},
    "trust_score": null, "bid_ask_spread_percentage": null, "timestamp": "2024-04-08T04:02:01+00:00",
    "last_traded_at": "2024-04-08T04:02:01.5Z", "last_fetch_at": "2024-04-08T04:03:00+00:00", "is_anomaly": true,
    "is_stale": true, "trade_url": null, "token_info_url": null, "coin_id": null, "coin_mcap_usd": 0.0},
  {"base": "", "target": "USD", "market": {"identifier": null}, "coin_id": "", "converted_last": {},
    "converted_volume": {"sol": 1}, "coin_mcap_usd": null},
  {"base": "BTC", "target": "USD", "coin_id": "bitcoin", "market": null, "mood": [1.0]},
  {"base": "BTC", "target": "USD", "coin_id": "bitcoin", "market": null, "mood": [2.0]}
]}`,
    unknownPaths: { '$.tickers[*].converted_volume.sol': 1, '$.tickers[*].mood': 2 },
  },
  'coins-id-tickers-none--variation.json': { text: `{"name": "Trades nowhere", "tickers": []}` },
}
