import { column } from '../table/column.ts'
import type { OperationId } from '../../api/operations.ts'
import type { Scalar } from '../arrow/column-data.ts'
import type { Answer, Column, Dataset, RowSelection, TableSpec } from '../dataset.ts'
import {
  listingPage,
  type ListingRow,
  listingTable,
  observedIn,
  ordinals,
} from '../record/listing.ts'
import { columnsOf } from '../record/record-field.ts'
import { csvValues, pageWindow } from '../request/page-window.ts'
import { WITHOUT_SERIES } from '../request/without-series.ts'
import { ABSENT, EXTRA, OBSERVED_AT, OBSERVED_DATE, ORDINAL } from '../table/common-columns.ts'
import { snapshotBy } from '../table/row-keys.ts'
import { TICKER_EXTRAS, TICKER_FIELDS } from './exchange-ticker-fields.ts'
import { readTickerListing, TICKER_PAGE } from './ticker-listing.ts'
import { EMPTY_LISTING, tickersBody } from './tickers-answer.ts'

/** The key columns of the ticker itself. */
const PAIR = ['base', 'target', 'coin_id']

/** The service allows no other page size. */
const PER_PAGE = 100

/**
 * A table of listings of tickers. `ids`: the key columns before the pair; the first is the listing's coin or exchange.
 * `ordering`: a sentence on the order in which coinlake asks.
 */
export function tickerTable(
  entity: 'coin' | 'exchange',
  {
    ids,
    ordering,
    ...facts
  }: Pick<TableSpec, 'name' | 'description'> & {
    ids: readonly [Column, ...Column[]]
    ordering: string
  },
): TableSpec {
  const place = `Place in the whole listing from 0, over all its pages. ${ordering}`
  const listingName = column(
    'listing_name',
    'string',
    `Name of the listing, which is the name of the ${entity}.`,
  )
  const columns = columnsOf(TICKER_FIELDS)
  const atPlace = ['observed_at', 'ordinal']
  return {
    ...facts,
    columns: [
      ...ids,
      ...columns.filter(({ name }) => PAIR.includes(name)),
      OBSERVED_AT,
      { ...ORDINAL, description: place },
      OBSERVED_DATE,
      listingName,
      ...columns.filter(({ name }) => !PAIR.includes(name)),
      ABSENT,
      EXTRA,
    ],
    ...snapshotBy([...ids.map(({ name }) => name), ...PAIR, ...atPlace], [ids[0].name, ...atPlace]),
    placeColumn: 'ordinal',
  }
}

/** The differences between tickers of coins and tickers of exchanges. */
export interface TickerFacts extends Pick<Dataset, 'name' | 'description'> {
  entity: 'coin' | 'exchange'
  operation: OperationId
  table: TableSpec
  /** The order in which coinlake asks. */
  order: string
  /** The columns of each `order`. Any other order is the recorded listing's. */
  orders: Readonly<Record<string, RowSelection['orderBy']>>
  /** The parameter that selects tickers, and its column. */
  filter: { param: string; column: string }
  /** Selects the row with the name of the coin or exchange. */
  ownerRow: (id: string) => RowSelection
  extraColumns?: (rows: readonly ListingRow[]) => Readonly<Record<string, Scalar[]>>
}

export function tickerDataset(about: TickerFacts): Dataset {
  const { entity, operation, table: spec, order, extraColumns = () => ({}) } = about
  const [own] = spec.key
  return {
    name: about.name,
    description: about.description,
    kind: 'snapshot',
    operations: [operation],
    tables: [spec],
    entity,
    ...WITHOUT_SERIES,
    leftOut: [EMPTY_LISTING],
    steps: (slice) => [
      {
        operation,
        params: { id: slice.entity, order, ...TICKER_EXTRAS },
        paging: 'until_short',
        perPage: PER_PAGE,
      },
    ],
    toTables: (body, context) => {
      const { listing, name } = readTickerListing(body)
      const table = listingTable(spec, TICKER_FIELDS, listing.rows, {
        ...observedIn(context),
        ...extraColumns(listing.rows),
        [own!]: { constant: context.slice.entity },
        ordinal: ordinals(listing.rows, context),
        listing_name: { constant: name },
      })
      return listingPage(listing, [table])
    },
    answers: { [operation]: answerOf(about, own!) },
    bodies: { [operation]: TICKER_PAGE },
  }
}

function answerOf(
  { table: { name: table }, orders, filter, ownerRow }: TickerFacts,
  own: string,
): Answer {
  return {
    select: (params, nowMs) => {
      const id = params['id'] ?? ''
      const listing = { table, equals: { [own]: id }, newest: { column: 'observed_at', nowMs } }
      const values = csvValues(params[filter.param])
      return [
        {
          ...listing,
          ...(values === null ? {} : { oneOf: { column: filter.column, values } }),
          // No column has the order by trust score, so the service's default gives the recorded order.
          orderBy: [...(orders[params['order'] ?? ''] ?? []), { column: 'ordinal' }],
          ...pageWindow({ page: params['page'] ?? '1' }, PER_PAGE, PER_PAGE),
        },
        // The name for a page without tickers: from any ticker of the listing, else from the owner.
        { ...listing, orderBy: [{ column: 'ordinal' }], limit: 1 },
        ownerRow(id),
      ]
    },
    toBody: ([tickers = [], listed = [], known = []], params) =>
      tickersBody(tickers, listed[0], known[0], params),
  }
}
