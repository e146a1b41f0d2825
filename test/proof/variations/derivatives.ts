import { HUNDRED_DIGITS, type Variations } from './variation.ts'

/** Contracts and the exchanges that trade them. */
export const DERIVATIVES: Variations = {
  'derivatives-odd--variation.json': {
    text: `[
  {"market": "Börse (Futures)", "symbol": "", "index_id": null, "price": "${HUNDRED_DIGITS}",
    "price_percentage_change_24h": -0.0, "contract_type": "futures", "index": null, "basis": 448228.7,
    "spread": null, "funding_rate": 0, "open_interest": null, "volume_24h": 18446744073709551616,
    "last_traded_at": 1621346317, "expired_at": 4102444800},
  {"market": "Börse (Futures)", "symbol": "", "index_id": "", "price": "-1.5e-7", "contract_type": null,
    "index": 1e-12, "basis": null, "last_traded_at": null, "expired_at": null, "mood": "x"},
  {"market": "", "symbol": "Δ-PERP \u{1f984}", "price": null, "price_percentage_change_24h": null,
    "funding_rate": null, "volume_24h": null, "last_traded_at": 0},
  {"market": "numbers", "symbol": "N", "price": 12.5},
  {"market": "beyond", "symbol": "B", "price": "1e400", "open_interest": 9007199254740993}
]`,
    unknownPaths: { '$[*].mood': 1 },
  },
  'derivatives-none--variation.json': { text: '[]' },
  'derivatives-exchanges-odd--variation.json': {
    text: `[
  {"id": "börse", "name": "Börse", "open_interest_btc": null, "trade_volume_24h_btc": "${HUNDRED_DIGITS}",
    "number_of_perpetual_pairs": 0, "number_of_futures_pairs": null, "image": null, "year_established": null,
    "country": null, "description": null, "url": null},
  {"id": "", "name": null, "open_interest_btc": 1E-8, "trade_volume_24h_btc": null, "mood": {"a": 1}},
  {"id": "a b", "trade_volume_24h_btc": ".5"}
]`,
    unknownPaths: { '$[*].mood': 1 },
  },
  'derivatives-exchanges-id-odd--variation.json': {
    text: `{"name": "Börse", "open_interest_btc": 9007199254740993, "trade_volume_24h_btc": 0.25,
  "number_of_perpetual_pairs": null, "mood": null, "tickers": [
  {"symbol": "", "base": null, "target": null, "coin_id": null, "trade_url": null, "contract_type": null,
    "last": null, "h24_percentage_change": null, "index": null, "index_basis_percentage": null,
    "bid_ask_spread": null, "funding_rate": null, "open_interest_usd": null, "h24_volume": null,
    "converted_volume": null, "converted_last": {"btc": "${HUNDRED_DIGITS}", "eth": null, "usd": "0"},
    "last_traded": null, "expired_at": null},
  {"symbol": "Δ", "last": 1e-30, "h24_volume": 6822128.0, "converted_volume": {"btc": 42.5, "sol": "1"},
    "converted_last": {}, "last_traded": 1779809107, "expired_at": 4102444800, "mood": [1]},
  {"symbol": "Δ"}
]}`,
    unknownPaths: {
      '$.mood': 1,
      '$.tickers[*].mood': 1,
      '$.tickers[*].converted_volume.sol': 1,
    },
  },
  'derivatives-exchanges-list-odd--variation.json': {
    text: `[{"id": "börse \u{1f3e6}", "name": ""}, {"id": "no-name"}, {"id": "", "name": null, "mood": 1}]`,
    unknownPaths: { '$[*].mood': 1 },
  },
}
