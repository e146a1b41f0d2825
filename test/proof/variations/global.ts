import { HUNDRED_DIGITS, type Variations } from './variation.ts'

/** Categories, platforms and the market as a whole. */
export const GLOBAL: Variations = {
  'coins-categories-list-odd--variation.json': {
    text: `[{"category_id": "ü \u{1f984}", "name": null}, {"category_id": "bare"}, {"category_id": "", "name": "", "mood": 1}]`,
    unknownPaths: { '$[*].mood': 1 },
  },
  'coins-categories-odd--variation.json': {
    text: `[
  {"id": "ü", "name": null, "market_cap": null, "market_cap_change_24h": -0.0, "content": null,
    "top_3_coins_id": [], "top_3_coins": [], "volume_24h": null, "updated_at": null},
  {"id": "bare"},
  {"id": "big", "market_cap": 18446744073709551616, "volume_24h": 9007199254740993,
    "market_cap_change_24h": 1e36, "content": "two\\r\\nlines \\"q\\"", "top_3_coins_id": ["a b", "_"],
    "top_3_coins": ["x.png", "y.png", "z.png"], "updated_at": "2024-02-29T00:00:00Z", "mood": {"a": 1.0}},
  {"id": "lists", "top_3_coins_id": null, "top_3_coins": ["only.png"]}
]`,
    unknownPaths: { '$[*].mood': 1 },
  },
  'coins-categories-none--variation.json': { text: '[]' },
  'asset_platforms-odd--variation.json': {
    text: `[
  {"id": "ü [old]", "chain_identifier": null, "name": null, "shortname": null, "native_coin_id": null,
    "image": {"thumb": null, "small": "s.png", "large": null}},
  {"id": "big", "chain_identifier": 9007199254740991, "name": "\u{1f984}", "image": null},
  {"id": "", "chain_identifier": 1.0, "image": {"thumb": null, "small": null, "large": null}},
  {"id": "new", "image": {"huge": "h.png"}, "mood": 1e3}
]`,
    unknownPaths: { '$[*].image.huge': 1, '$[*].mood': 1 },
  },
  'global-odd--variation.json': {
    text: `{"data": {"active_cryptocurrencies": null, "upcoming_icos": 0, "ended_icos": 3375.0, "markets": 616,
  "total_market_cap": {"idr": 18446744073709551616, "x y": null, "btc": 4.8911294139994755e7, "": 1e-9},
  "total_volume": {"btc": -0.0, "vnd": 4.9e+16}, "market_cap_percentage": {"btc": 1e2, "ü": null},
  "market_cap_change_percentage_24h_usd": null, "updated_at": null, "mood": {"a": 1}}}`,
    unknownPaths: { '$.data.mood': 1 },
  },
  'global-bare--variation.json': {
    text: `{"data": {"total_market_cap": {}, "total_volume": null, "market_cap_percentage": {}, "updated_at": 0}}`,
  },
  'global-decentralized_finance_defi-odd--variation.json': {
    text: `{"data": {"defi_market_cap": "${HUNDRED_DIGITS}", "eth_market_cap": null, "defi_to_eth_ratio": "1e400",
  "trading_volume_24h": 12.5, "top_coin_name": "\u{1f984} \\"q\\"", "top_coin_defi_dominance": null, "mood": 1}}`,
    unknownPaths: { '$.data.mood': 1 },
  },
}
