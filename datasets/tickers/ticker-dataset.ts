import { isRecord } from '../../config/values/is-record.ts'
import { SourceDataError } from '../../api/errors.ts'
import type { OperationId } from '../../api/operations.ts'
import type { Scalar } from '../arrow/column-data.ts'
import type { Answer, Column, Dataset, RowSelection, TableSpec } from '../dataset.ts'
import { setBeside } from '../record/envelope.ts'
import {
  itemsOf,
  type Listing,
  listingPage,
  type ListingRow,
  listingTable,
  readListing,
} from '../record/listing.ts'
import { readMembers, withoutKeys } from '../record/read-members.ts'
import { columnsOf, text } from '../record/record-field.ts'
import { csvValues, pageWindow } from '../request/page-window.ts'
import { snapshotDataset } from '../request/snapshot-dataset.ts'
import { pagedStep } from '../request/steps.ts'
import { column } from '../table/column.ts'
import { ORDINAL } from '../table/common-columns.ts'
import { snapshotTable } from '../table/snapshot-table.ts'
import { TICKER_EXTRAS, TICKER_FIELDS } from './exchange-ticker-fields.ts'
import { LEFT_OUT_OF_EMPTY_LISTING, tickersBody } from './tickers-answer.ts'

/** The size of a page where a service takes no `per_page`, as CoinGecko does for tickers. */
const PER_PAGE = 100

/** The differences between tickers of coins and tickers of exchanges. */
interface TickerFacts extends Pick<Dataset, 'name' | 'description'> {
  entity: 'coin' | 'exchange'
  operation: OperationId
  tableDescription: string
  /** The key columns before the pair. The first is the listing's coin or exchange. */
  ids: readonly [Column, ...Column[]]
  /** The parameter `order` of coinlake's requests. */
  order: string
  /** A sentence on that order, for the description of `ordinal`. */
  orderSentence: string
  /** The columns to sort by for each `order`. Without an entry the rows come as they were recorded. */
  sortColumns: Readonly<Record<string, RowSelection['orderBy']>>
  /** The parameter that selects tickers, and its column. */
  filter: { param: string; column: string }
  /** Selects the row with the name of the coin or exchange. */
  ownerRow: (id: string) => RowSelection
  extraColumns?: (rows: readonly ListingRow[]) => Readonly<Record<string, Scalar[]>>
}

export function tickerDataset(about: TickerFacts): Dataset {
  const { name, description, entity, operation, order, ids, extraColumns = () => ({}) } = about
  const spec = tickerTable(about)
  return snapshotDataset({
    name,
    description,
    operation,
    tables: [spec],
    entity,
    leftOut: [LEFT_OUT_OF_EMPTY_LISTING],
    steps: ({ entity: id }) => [pagedStep(operation, { id, order, ...TICKER_EXTRAS }, PER_PAGE)],
    toTables: (body, context) => {
      const { listing, name: listingName } = readTickers(body)
      const table = listingTable(spec, TICKER_FIELDS, listing.rows, context, {
        ...extraColumns(listing.rows),
        [ids[0].name]: { constant: context.slice.entity },
        listing_name: { constant: listingName },
      })
      return listingPage(listing, [table])
    },
    answer: answerOf(about),
    parts: [
      { at: '$', fields: ENVELOPE },
      { at: '$.tickers[*]', fields: TICKER_FIELDS },
    ],
  })
}

function tickerTable(about: TickerFacts): TableSpec {
  const idNames = about.ids.map(({ name }) => name)
  const listingName = `Name of the listing, which is the name of the ${about.entity}.`
  return snapshotTable({
    name: about.name,
    description: about.tableDescription,
    key: [...idNames, 'base', 'target', 'coin_id', 'observed_at', 'ordinal'],
    sort: [idNames[0]!, 'observed_at', 'ordinal'],
    placeColumn: 'ordinal',
    columns: [
      ...about.ids,
      { ...ORDINAL, description: `${ORDINAL.description} ${about.orderSentence}` },
      column('listing_name', 'string', listingName),
      ...columnsOf(TICKER_FIELDS),
    ],
  })
}

const ENVELOPE = [text('name', 'Name of the coin or exchange that has these tickers.')]

/**
 * Reads `{ name, tickers: [...] }`. `_extra` of the first row keeps unknown keys, and a name that the column
 * `listing_name` would lose. A name of another type goes to quarantine, without its tickers.
 *
 * @returns name null: none was sent
 * @throws SourceDataError: there is no list of tickers
 */
function readTickers(body: unknown): { listing: Listing; name: Scalar } {
  if (!isRecord(body) || !Array.isArray(body['tickers'])) {
    throw new SourceDataError('$.tickers is no array')
  }
  const listing = readListing(TICKER_FIELDS, itemsOf(body['tickers']), '$.tickers', [])
  const around = withoutKeys(body, ['tickers'])
  const envelope = readMembers(ENVELOPE, around, '$', listing.rejected)
  for (const key of envelope.unknown) listing.unknownPaths[`$.${key}`] = 1
  // A NULL name means that none was sent, so `_extra` keeps a null that was sent.
  if (around['name'] === null) envelope.extra.set('name', null)
  setBeside(listing.rows[0], Object.fromEntries(envelope.extra))
  return { listing, name: envelope.values['name'] ?? null }
}

function answerOf({
  name: table,
  operation,
  ids,
  sortColumns,
  filter,
  ownerRow,
}: TickerFacts): Answer {
  return {
    select: (params, nowMs) => {
      const id = params['id'] ?? ''
      const newest = { column: 'observed_at', nowMs }
      const listing = { table, equals: { [ids[0].name]: id }, newest }
      const values = csvValues(params[filter.param])
      return [
        {
          ...listing,
          ...(values === null ? {} : { oneOf: { column: filter.column, values } }),
          // No column has the order by trust score, so the service's default gives the recorded order.
          orderBy: [...(sortColumns[params['order'] ?? ''] ?? []), { column: 'ordinal' }],
          ...pageWindow(operation, params),
        },
        // The name for a page without tickers: from any ticker of the listing, else from the owner.
        { ...listing, orderBy: [{ column: 'ordinal' }], limit: 1 },
        ownerRow(id),
      ]
    },
    toBody: ([tickers = [], newest = [], owners = []], params) =>
      tickersBody(tickers, newest[0], owners[0], params),
  }
}
