import { isRecord } from '../config/values/is-record.ts'
import { SourceDataError } from '../api/errors.ts'
import { unansweredIds } from './request/unanswered-ids.ts'
import { ORDINAL, VS_CURRENCY } from './table/common-columns.ts'
import { snapshotTable } from './table/snapshot-table.ts'
import { COIN_MARKET_FIELDS } from './markets/coin-market-fields.ts'
import type { ParamValues } from '../api/operations/describe-operation.ts'
import type { Answer, Row, RowSelection } from './dataset.ts'
import { itemsOf, listingPage, listingTable, readListing } from './record/listing.ts'
import { csvValues, pageWindow } from './request/page-window.ts'
import { columnsOf } from './record/record-field.ts'
import { roundPrice } from './record/round-price.ts'
import { snapshotDataset } from './request/snapshot-dataset.ts'
import { pagedStep, singleStep } from './request/steps.ts'
import { writeRecord } from './record/write-record.ts'

export const COIN_MARKETS = snapshotTable({
  name: 'coin_markets',
  description:
    'Price, market cap, rank, volume and supply of coins as listed at one moment: one row per coin, currency and observation. A moment that was missed is never filled in later. A chosen coin that the source does not know has no row here but one in _quarantine (rule not_in_answer). Read "top N on a date" from the rows of that date, never from today\'s ranks.',
  key: ['coin_id', 'vs_currency', 'observed_at'],
  columns: [
    VS_CURRENCY,
    {
      ...ORDINAL,
      description:
        'Place in the whole listing from 0. It is no rank: coinlake asks in order of id, the only order that does not change while pages are read.',
    },
    ...columnsOf(COIN_MARKET_FIELDS),
  ],
})

const OPERATION = 'coins/markets'
const PER_PAGE = 250
/** Few enough for a URL, and for one page of a service with 100 items a page. */
const IDS_PER_SLICE = 100
/** All time frames. They cost no further call. */
const PRICE_CHANGES = '1h,24h,7d,14d,30d,200d,1y'

const ORDER_BY: Readonly<Record<string, RowSelection['orderBy'][number]>> = {
  market_cap_desc: { column: 'market_cap', descending: true },
  market_cap_asc: { column: 'market_cap' },
  volume_desc: { column: 'total_volume', descending: true },
  volume_asc: { column: 'total_volume' },
  id_asc: { column: 'coin_id' },
  id_desc: { column: 'coin_id', descending: true },
}

/** Many chosen coins need several requests, so one bucket may have several slices. */
export const NEWEST_OF_COINS = { column: 'observed_at', per: ['coin_id'], bucket: true } as const

const answer: Answer = {
  select: (params, nowMs) => {
    // As recorded, this listing ignores a space after a comma, which simple/price takes for a part of the id.
    const ids = csvValues(params['ids'])?.map((id) => id.trim()) ?? null
    const category = params['category'] ?? ''
    const listing: RowSelection = {
      table: COIN_MARKETS.name,
      equals: { vs_currency: params['vs_currency'] ?? '' },
      ...(ids === null ? {} : { oneOf: { column: 'coin_id', values: ids } }),
      newest: { ...NEWEST_OF_COINS, nowMs },
      orderBy: [
        ORDER_BY[params['order'] ?? ''] ?? ORDER_BY['market_cap_desc']!,
        { column: 'ordinal' },
        // Each slice of chosen coins counts from 0, and pages need one order of all.
        { column: 'coin_id' },
      ],
    }
    if (category === '') return [{ ...listing, ...pageWindow(OPERATION, params) }]
    // Only coin_details names categories, so toBody filters by category and then cuts the page.
    return [
      listing,
      {
        table: 'coin_detail_categories',
        equals: { category_id: category },
        newest: { column: 'observed_at', nowMs, per: ['coin_id'], unfiltered: true },
        orderBy: [],
      },
    ]
  },
  toBody: ([rows = [], members], params) =>
    ofCategory(rows, members, params).map((row) => roundedMarket(row, params)),
}

const ROUNDED_KEYS = ['current_price', 'high_24h', 'low_24h', 'price_change_24h', 'ath', 'atl']

function roundedMarket(row: Row, params: ParamValues): Record<string, unknown> {
  const market = writeRecord(COIN_MARKET_FIELDS, row)
  for (const key of ROUNDED_KEYS) if (key in market) market[key] = roundPrice(market[key], params)
  return withoutUnasked(market, params)
}

const CHANGE = /^price_change_percentage_(?<frame>\w+)_in_currency$/

function withoutUnasked(
  market: Readonly<Record<string, unknown>>,
  params: ParamValues,
): Record<string, unknown> {
  const frames = csvValues(params['price_change_percentage']) ?? []
  const isAnswered = (key: string): boolean => {
    if (key === 'sparkline_in_7d') return params['sparkline'] === 'true'
    const frame = CHANGE.exec(key)?.groups?.['frame']
    return frame === undefined || frames.includes(frame)
  }
  return Object.fromEntries(Object.entries(market).filter(([key]) => isAnswered(key)))
}

/** All rows, or one page of the rows of the category's `members`. */
function ofCategory(
  rows: readonly Row[],
  members: readonly Row[] | undefined,
  params: ParamValues,
): readonly Row[] {
  if (members === undefined) return rows
  const coinIds = new Set(members.map((row) => row['coin_id']))
  const { limit, offset } = pageWindow(OPERATION, params)
  return rows.filter((row) => coinIds.has(row['coin_id'])).slice(offset, offset + limit)
}

/** All ids in the body, even of coins with bad values. */
function listedIds(body: readonly unknown[]): string[] {
  return body.flatMap((item) => {
    const id = isRecord(item) ? item['id'] : undefined
    return typeof id === 'string' ? [id] : []
  })
}

export const coinMarkets = snapshotDataset({
  name: 'coin_markets',
  description: 'Market listing of all coins (or of chosen ones) per currency, once per `every`.',
  operation: OPERATION,
  tables: [COIN_MARKETS],
  perCurrency: true,
  entitiesPerSlice: IDS_PER_SLICE,
  steps: ({ entity, vsCurrency }) => {
    const params = {
      vs_currency: vsCurrency,
      ...(entity === '' ? {} : { ids: entity }),
      order: 'id_asc',
      per_page: String(PER_PAGE),
      price_change_percentage: PRICE_CHANGES,
    }
    // Chosen coins always fit on one page.
    return [entity === '' ? pagedStep(OPERATION, params, PER_PAGE) : singleStep(OPERATION, params)]
  },
  toTables: (body, context) => {
    if (!Array.isArray(body)) throw new SourceDataError('$ is no array')
    const listing = readListing(COIN_MARKET_FIELDS, itemsOf(body), '$', ['coin_id'])
    const table = listingTable(COIN_MARKETS, COIN_MARKET_FIELDS, listing.rows, context, {
      vs_currency: { constant: context.slice.vsCurrency },
    })
    const page = listingPage(listing, [table])
    const { entity } = context.slice
    if (entity !== '') {
      page.rejected.push(...unansweredIds(entity.split(','), listedIds(body), () => '$[*].id'))
    }
    return page
  },
  answer,
  parts: [{ at: '$[*]', fields: COIN_MARKET_FIELDS }],
})
