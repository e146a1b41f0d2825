/**
 * Bodies of the recorded shapes that no recording has: other coins, nulls, points out of order, numbers
 * with exponents, ids that are no ASCII. As text, because it is the text that is read.
 */
export const VARIATIONS: Readonly<Record<string, string>> = {
  'coins-id-market_chart-range-unsorted--variation.json': `{
  "prices": [[1704153600000, 4.2e-11], [1704067200000, 1E3], [1704240000000, null],
    [1704326400000, 5e-324], [1704412800000, 1.7976931348623157e308],
    [1704499200000, 123456789012345680000], [1704585723456, 0.1], [1704672000000, 0.30000000000000004]],
  "market_caps": [[1704153600000, 0], [1704067200000, 9007199254740993], [1704240000000, 1e21],
    [1704326400000, null], [1704412800000, 2.5E+2], [1704499200000, 0.0], [1704672000000, 7]],
  "total_volumes": [[1704672000000, 3], [1704153600000, 18446744073709551616], [1704067200000, null],
    [1704240000000, 1.0], [1704326400000, 1e-7], [1704412800000, 0.1e-6], [1704499200000, 2]]
}`,
  'coins-id-market_chart-hours--variation.json': `{
  "prices": [[1709251261123, 1e0], [1709254871001, 2.5], [1709258462999, null], [1709262001000, 12e-1]],
  "market_caps": [[1709251261123, null], [1709254871001, null], [1709258462999, null], [1709262001000, null]],
  "total_volumes": []
}`,
  'coins-id-ohlc-unsorted--variation.json': `[
  [1711972800000, 1e-9, 2e-9, 5E-10, null], [1711944000000, 70000, 70001.5, 69999, 7.0e4],
  [1711958400000, 1, 1, 1, 1], [1711987200000, null, null, null, null]
]`,
  'coins-markets-odd--variation.json': `[
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
  'exchanges-id-tickers-odd--variation.json': `{"name": "Börse \u{1f3e6}", "tickers": [
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
  'exchange_rates-odd--variation.json': `{"rates": {
  "btc": {"name": "Bitcoin", "unit": "₿", "value": 1.0, "type": "crypto"},
  "vef": {"name": "Bolívar", "unit": "Bs.F", "value": 1e0, "type": "fiat"},
  "ɱ-x.y": {"name": null, "unit": "ɱ", "value": 5E-324, "type": "commodity"},
  "ten": {"name": "Ten", "unit": "", "value": null, "type": "crypto"}
}}`,
  'coins-list-odd--variation.json': `[
  {"id": "монета №5", "symbol": "true", "name": "\u{1f984}", "platforms": {"": ""}},
  {"id": "_", "symbol": "", "name": " ", "platforms": {"a.b \\"c\\"": "0xAbC", "polygon-pos": "0x1"}},
  {"id": "no platforms", "symbol": "NULL", "name": "null"},
  {"id": "1e3", "symbol": "1e3", "name": "1e3", "platforms": {}}
]`,
  'exchanges-list-odd--variation.json': `[{"id": "börse", "name": "Börse \u{1f3e6}"}, {"id": "", "name": null}]`,
  'exchanges-odd--variation.json': `[
  {"id": "börse", "name": "Börse", "year_established": null, "country": null, "description": "zwei\\nZeilen",
    "url": "https://x.test", "image": null, "has_trading_incentive": null, "trust_score": null,
    "trust_score_rank": null, "trade_volume_24h_btc": 1.5e-8, "trade_volume_24h_btc_normalized": 0},
  {"id": "zwei", "name": null, "year_established": 2014, "trust_score": 10, "trade_volume_24h_btc": 1E5}
]`,
}
