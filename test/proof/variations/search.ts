import { HUNDRED_DIGITS, type Variations } from './variation.ts'

/** Prices made for the eye, as in answers of 2024, by place; the others are numbers. */
const SHOWN_PRICES: Readonly<Record<number, string>> = {
  1: '$2,412.46',
  2: '$0.0<sub title="0.000001532">5</sub>1532',
  3: '-',
}

/** One of fifteen, as full as the newest answers. */
function trendingCoin(place: number): object {
  return {
    item: {
      id: `coin ${place} \u{1f984}`,
      coin_id: place,
      name: `Coin ${place}`,
      symbol: 'SAME',
      market_cap_rank: place === 3 ? null : place + 1,
      thumb: '',
      small: 'small.png',
      large: null,
      slug: `coin-${place}`,
      price_btc: 1.1792020782950375e-11 / (place + 1),
      score: place,
      data: {
        price: SHOWN_PRICES[place] ?? 1.5 ** place,
        price_btc: `0.${'0'.repeat(place)}1179202078295037`,
        price_change_percentage_24h: { usd: -place / 7, 'x y': null, btc: 1e-7 },
        market_cap: `$${(1_234_567 * (place + 1)).toLocaleString('en-US')}`,
        market_cap_btc: HUNDRED_DIGITS,
        total_volume: '-',
        total_volume_btc: '4.5e-8',
        sparkline: null,
        content: place === 2 ? { title: 'T "q"', description: '\u{1f984}\n', n: 0.1 } : null,
      },
    },
  }
}

/** What searches find, and what trends. */
export const SEARCH: Variations = {
  'search-odd--variation.json': {
    text: `{"coins": [
    {"id": "монета №5", "name": "\u{1f984}", "api_symbol": null, "symbol": "", "market_cap_rank": null,
      "thumb": null, "large": null, "mood": 1.5}, {"id": "", "market_cap_rank": 7.0}],
  "exchanges": [{"id": "börse", "name": null, "market_type": null, "thumb": "missing.png", "large": ""}],
  "icos": [{"id": "ico", "name": "Sale", "links": {}}, {"name": null}],
  "categories": [{"id": 12, "name": "Old number"}, {"id": "slug", "name": null}],
  "nfts": [{"id": "n", "name": "N", "symbol": null, "thumb": null}], "mood": []}`,
    unknownPaths: { '$.mood': 1, '$.coins[*].mood': 1, '$.icos[*].links': 1 },
  },
  'search-nothing--variation.json': { text: `{"coins": [], "exchanges": [], "categories": []}` },
  'search-trending-3coins--variation.json': {
    text: `{"coins": [
  {"item": {"id": "_", "coin_id": 1, "name": "", "symbol": "", "market_cap_rank": null, "thumb": null,
    "small": null, "large": null, "slug": null, "price_btc": null, "score": null, "data": null}},
  {"item": {"id": "boringdao-[old]", "price_btc": 5e-324, "data": {"price": "0.000001", "price_btc": null,
    "price_change_percentage_24h": null, "market_cap": "", "market_cap_btc": 12.5,
    "total_volume": "$0", "mood": {"a": 1}}}},
  {"item": {"id": "old", "score": 2, "data": {"price_change_percentage_24h": {}}}}
], "nfts": [
  {"id": "ü", "name": null, "symbol": null, "thumb": null, "nft_contract_id": null, "native_currency_symbol": null,
    "floor_price_in_native_currency": null, "floor_price_24h_percentage_change": -0.0,
    "data": {"floor_price": "1.5K ETH", "floor_price_in_usd_24h_percentage_change": "${HUNDRED_DIGITS}",
      "h24_volume": "12,345.5 BTC", "h24_average_sale_price": null, "sparkline": null,
      "content": {"title": "T", "description": null}}},
  {"id": "bare"}
], "categories": [
  {"id": 9007199254740991, "name": null, "market_cap_1h_change": null, "slug": null, "coins_count": 573,
    "top_3_coins_images": [], "data": {"market_cap": 18446744073709551616, "market_cap_btc": null,
      "total_volume": 1e-7, "total_volume_btc": 0.0,
      "market_cap_change_percentage_24h": {"usd": null, "btc": -1E-9}, "sparkline": null}},
  {"id": 0, "coins_count": "1,234", "data": null, "mood": true}, {"id": 7, "coins_count": null}
], "exchanges": [{"id": "ftx", "n": 1.0}], "mood": "x"}`,
    unknownPaths: {
      '$.mood': 1,
      '$.coins[*].item.data.mood': 1,
      '$.categories[*].mood': 1,
    },
  },
  'search-trending-15coins--variation.json': {
    text: JSON.stringify({
      coins: Array.from({ length: 15 }, (_, place) => trendingCoin(place)),
      nfts: [],
      categories: [],
    }),
  },
}
