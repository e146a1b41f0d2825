import { required } from '../table/column.ts'
import { factsBy } from '../table/row-keys.ts'
import { ABSENT, COIN_ID, EXTRA, VS_CURRENCY } from '../table/common-columns.ts'
import type { TableSpec } from '../dataset.ts'
import { type NestedBody, sectionColumns, withChildren } from '../record/nested-body.ts'
import { IMAGE_SECTION, POPULARITY_SECTIONS } from './popularity-sections.ts'
import { columnsOf, field, text, type RecordField, amount, json } from '../record/record-field.ts'

const CUR = 'vs_currency'

const DATE = required(
  'date',
  'date',
  'The day that was asked for. The values are those at its 00:00 UTC, which is the close of the day before.',
)

const AT_DAY_START = required(
  'ts',
  'timestamp',
  'Start of the day and time of the values: the price at ts is the close of the day before date. The source itself names no time.',
)

const PRICE_MAPS: readonly RecordField[] = [
  amount('current_price', CUR, 'Price of one coin at ts.', 'price'),
  amount(
    'market_cap',
    CUR,
    'Price times circulating supply at ts. 0 means unknown, not worthless.',
  ),
  amount(
    'total_volume',
    CUR,
    'Volume traded in the 24 hours before ts: a rolling figure of the day before date. 0 before 2014 means unknown.',
  ),
]

const TOP: readonly RecordField[] = [
  field('id', COIN_ID),
  text('symbol', 'Ticker symbol when the day was asked for, not on the day itself.'),
  text('name', 'Display name when the day was asked for, not on the day itself.'),
  json(
    'localization',
    'JSON object with the name by language when the day was asked for. It is the same for every day, so it is kept as text; coin_detail_texts has a row per language.',
  ),
]

const PRICES: TableSpec = {
  name: 'coin_history',
  description:
    'Price, market cap and 24-hour volume of a coin at the start of a day, in every currency that the source knows for it: one row per coin, currency and day. Each day costs one call; market_chart has years of one currency in one call.',
  columns: [COIN_ID, VS_CURRENCY, DATE, AT_DAY_START, ...columnsOf(PRICE_MAPS), ABSENT, EXTRA],
  ...factsBy(['coin_id', 'vs_currency', 'date'], ['coin_id', 'vs_currency', 'ts']),
}

const CHILDREN: NestedBody['children'] = [
  {
    spec: PRICES,
    shape: 'map',
    key: VS_CURRENCY,
    stacks: [{ label: '', section: 'market_data', fields: PRICE_MAPS }],
  },
]

const SECTIONS = withChildren(
  [
    { path: '', fields: TOP },
    IMAGE_SECTION,
    { path: 'market_data', fields: [] },
    ...POPULARITY_SECTIONS,
  ],
  CHILDREN,
)

export const COIN_HISTORY_BODY: NestedBody = {
  parent: {
    name: 'coin_history_stats',
    description:
      'Followers, code and public interest of a coin at the start of a day: one row per coin and day. A day for which the source has no data has no row; _slices shows that it was asked for.',
    columns: [
      COIN_ID,
      DATE,
      AT_DAY_START,
      ...sectionColumns(SECTIONS).filter(({ name }) => name !== COIN_ID.name),
      ABSENT,
      EXTRA,
    ],
    ...factsBy(['coin_id', 'date'], ['coin_id', 'ts']),
  },
  sections: SECTIONS,
  children: CHILDREN,
  leftOut: [],
}
