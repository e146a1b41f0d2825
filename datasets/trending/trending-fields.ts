import { COIN_ID } from '../table/common-columns.ts'
import {
  amount,
  child,
  count,
  field,
  numberText,
  text,
  type RecordField,
  json,
  requiredText,
} from '../record/record-field.ts'

const CONTENT = field('data.content', {
  name: 'content',
  type: 'json',
  unit: null,
  description: 'Title and description by the source, as a JSON object.',
})

const SPARKLINE = text('data.sparkline', 'URL of a small picture of the last 7 days.', 'sparkline')

/** The fields of one trending coin, below `item`. `data` is sent since 2023. */
export const TRENDING_COIN_FIELDS: readonly RecordField[] = [
  field('id', COIN_ID),
  count(
    'coin_id',
    null,
    'Number of the coin at the source, which names its picture files.',
    'coin_number',
  ),
  text('name', 'Display name of the coin.'),
  text('symbol', 'Ticker symbol, upper case here. Not unique: never join on it.'),
  count('market_cap_rank', null, 'Rank by market cap from 1; NULL for a coin without one.'),
  text('thumb', 'URL of the smallest picture.'),
  text('small', 'URL of a small picture.'),
  text('large', 'URL of a large picture.'),
  text('slug', 'Name of the coin in web addresses of the source; not always its id.'),
  amount('price_btc', 'BTC', 'Price of one coin.'),
  count('score', null, 'Place in the list as the source sends it, from 0, most searched first.'),
  // A number in every recording. Answers of 2024: $23.45, $0.0<sub title="0.000001532">5</sub>1532.
  numberText('data.price', 'USD', 'Price of one coin.', {
    name: 'price_usd',
    text: 'display',
    mayBeNumber: true,
  }),
  numberText('data.price_btc', 'BTC', 'Price of one coin, from the market data of the list.'),
  child('data.price_change_percentage_24h', 'map', 'Rows of trending_coin_changes.'),
  numberText('data.market_cap', 'USD', 'Market cap, rounded by the source.', {
    name: 'market_cap_usd',
    text: 'display',
  }),
  numberText('data.market_cap_btc', 'BTC', 'Market cap.', { name: 'market_cap_btc' }),
  numberText('data.total_volume', 'USD', 'Volume of the last 24 hours, rounded by the source.', {
    name: 'total_volume_usd',
    text: 'display',
  }),
  numberText('data.total_volume_btc', 'BTC', 'Volume of the last 24 hours.', {
    name: 'total_volume_btc',
  }),
  SPARKLINE,
  CONTENT,
]

export const TRENDING_NFT_FIELDS: readonly RecordField[] = [
  requiredText('id', 'Id of the collection at the source.', 'nft_id'),
  text('name', 'Display name of the collection.'),
  text('symbol', 'Symbol of the collection.'),
  text('thumb', 'URL of the smallest picture.'),
  count('nft_contract_id', null, 'Number of the collection at the source.'),
  text('native_currency_symbol', 'Symbol of the currency of its prices, lower case: eth, btc.'),
  amount('floor_price_in_native_currency', 'native currency', 'Lowest price asked.'),
  amount(
    'floor_price_24h_percentage_change',
    'percent',
    'Change of the lowest price in 24 hours; 1.5 = 1.5 %.',
  ),
  numberText('data.floor_price', 'native currency', 'Lowest price asked, rounded by the source.', {
    name: 'floor_price',
    text: 'display',
  }),
  numberText(
    'data.floor_price_in_usd_24h_percentage_change',
    'percent',
    'Change of the lowest price in USD in 24 hours; 1.5 = 1.5 %.',
    { name: 'floor_price_usd_24h_percentage_change' },
  ),
  numberText('data.h24_volume', 'native currency', 'Volume of the last 24 hours, rounded.', {
    name: 'volume_24h',
    text: 'display',
  }),
  numberText(
    'data.h24_average_sale_price',
    'native currency',
    'Average price of the sales of the last 24 hours, rounded.',
    { name: 'average_sale_price_24h', text: 'display' },
  ),
  SPARKLINE,
  CONTENT,
]

export const TRENDING_CATEGORY_FIELDS: readonly RecordField[] = [
  field('id', {
    name: 'category_number',
    type: 'integer',
    unit: null,
    nullable: false,
    description:
      'Number of the category at the source; other answers name a category by its category_id.',
  }),
  text('name', 'Display name of the category.'),
  amount('market_cap_1h_change', 'percent', 'Change of the market cap in an hour; 1.5 = 1.5 %.'),
  text('slug', 'Name of the category in web addresses of the source; mostly its category_id.'),
  numberText('coins_count', 'coins', 'How many coins are in the category.', {
    type: 'integer',
    // Other numbers of these lists come with commas.
    text: 'display',
  }),
  // No child table: the pictures do not name their coins.
  json('top_3_coins_images', 'URLs of the pictures of its three largest coins, as a JSON list.'),
  amount('data.market_cap', 'USD', 'Market cap of its coins.', 'market_cap_usd'),
  amount('data.market_cap_btc', 'BTC', 'Market cap of its coins.', 'market_cap_btc'),
  amount('data.total_volume', 'USD', 'Volume of the last 24 hours.', 'total_volume_usd'),
  amount('data.total_volume_btc', 'BTC', 'Volume of the last 24 hours.', 'total_volume_btc'),
  child('data.market_cap_change_percentage_24h', 'map', 'Rows of trending_category_changes.'),
  SPARKLINE,
]
