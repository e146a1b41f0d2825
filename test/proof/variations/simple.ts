import type { Variations } from './variation.ts'

/** Prices and the currencies they can be asked in. */
export const SIMPLE: Variations = {
  'simple-price-many--variation.json': {
    text: `{
  "einhorn-\u{1f984}": {"usd": 1e-18, "usd_market_cap": 18446744073709551616, "usd_24h_vol": 9007199254740993,
    "usd_24h_change": -0.0, "eur": 9.2e-19, "eur_market_cap": 1.2345678901234567e25, "eur_24h_vol": 0.0,
    "eur_24h_change": 8.721952937706929e+36, "last_updated_at": 1779092258},
  "монета №5": {"eur": null, "eur_market_cap": null, "usd": null, "usd_24h_change": null,
    "usd_market_cap": 0, "last_updated_at": null},
  "boringdao-[old]": {"last_updated_at": 0, "usd": 5E-324},
  "_": {"eur": 1.7976931348623157e308}, "1move token": {}, "null": {"usd": 42.0, "eur": 4.2e+1}
}`,
  },
  'simple-price-new-keys--variation.json': {
    text: `{"bitcoin": {"usd": 0.30000000000000004, "usd_7d_vol": 1E3, "new_key": {"a": [1.5, null]},
    "last_updated_at": 1779092258},
  "ethereum": {"usd": "2.50", "usd_24h_change": "-1", "new_key": null}}`,
    unknownPaths: { '$.*.usd_7d_vol': 1, '$.*.new_key': 2 },
  },
  'simple-token_price-id-odd--variation.json': {
    text: `{
  "0xdAC17F958D2ee523a2206206994597C13D831ec7": {"usd": 1.0, "usd_market_cap": 1e11, "usd_24h_vol": null,
    "usd_24h_change": -1e-05, "btc": 1.301e-05, "btc_market_cap": 0, "last_updated_at": 1779094527},
  "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v": {"usd": null, "btc": 1e-9},
  "ibc/BC8A77AFBD872FDC32A348D3FB10CC09277": {},
  "A.b19436aae4d94622.FiatToken": {"btc": 0.1, "new_key": "good"}
}`,
    unknownPaths: { '$.*.new_key': 1 },
  },
  'simple-token_price-id-whole--variation.json': {
    text: `{"0xdac17f958d2ee523a2206206994597c13d831ec7": {"usd": 1.5, "usd_market_cap": 2.25, "usd_24h_vol": 3.125,
  "usd_24h_change": 4.75, "last_updated_at": 1700000005}}`,
  },
  'simple-supported_vs_currencies-odd--variation.json': {
    text: `["usd", "₿", "eur", "x y", "eth", "null", "btc", "myr", "gbp", "jpy", "xau", "sats", "bits", ""]`,
  },
}
