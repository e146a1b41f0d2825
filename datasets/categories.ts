import { SourceDataError } from '../api/errors.ts'
import { tableFromColumns } from './arrow-columns.ts'
import {
  ABSENT,
  CATEGORY_ID,
  EXTRA,
  FIRST_SEEN_AT,
  LAST_SEEN_AT,
  LIST_ORDINAL,
} from './common-columns.ts'
import type { Answer, Dataset, TableSpec } from './dataset.ts'
import { itemsOf, listingColumns, listingPage, ordinals, readListing } from './listing.ts'
import { columnsOf, field, text, type RecordField } from './record-field.ts'
import { WITHOUT_SERIES } from './without-series.ts'
import { writeRecord } from './write-record.ts'

const CATEGORY_FIELDS: readonly RecordField[] = [
  field('category_id', CATEGORY_ID),
  text('name', 'Display name when it was last seen.'),
]

/** Every category ever listed since the first sync. */
export const CATEGORIES: TableSpec = {
  name: 'categories',
  description:
    'Categories of coins, one row each. Categories are removed in batches: one that is gone keeps its row; its last_seen_at stands still.',
  columns: [
    ...columnsOf(CATEGORY_FIELDS),
    FIRST_SEEN_AT,
    LAST_SEEN_AT,
    LIST_ORDINAL,
    ABSENT,
    EXTRA,
  ],
  key: ['category_id'],
  sort: ['category_id'],
  load: 'catalogue',
  monthBy: null,
}

const answer: Answer = {
  select: (_, nowMs) => [
    {
      table: CATEGORIES.name,
      newest: { column: 'last_seen_at', nowMs },
      orderBy: [{ column: 'list_ordinal' }],
    },
  ],
  toBody: ([rows = []]) => rows.map((row) => writeRecord(CATEGORY_FIELDS, row)),
}

export const categories: Dataset = {
  name: 'categories',
  description: 'The list of categories of coins.',
  kind: 'catalogue',
  operations: ['coins/categories/list'],
  tables: [CATEGORIES],
  entity: null,
  perCurrency: false,
  ...WITHOUT_SERIES,
  steps: () => [{ operation: 'coins/categories/list', params: {}, paging: 'single', perPage: 0 }],
  toTables: (body, context) => {
    if (!Array.isArray(body)) throw new SourceDataError('$ is no array')
    const listing = readListing(CATEGORY_FIELDS, itemsOf(body), '$', ['category_id'])
    const seen = { constant: context.observedAtMs }
    const columns = {
      ...listingColumns(CATEGORY_FIELDS, listing.rows),
      first_seen_at: seen,
      last_seen_at: seen,
      list_ordinal: ordinals(listing.rows, context),
    }
    const rows = tableFromColumns(CATEGORIES, columns, listing.rows.length)
    return listingPage(listing, [{ table: CATEGORIES.name, rows }])
  },
  answers: { 'coins/categories/list': answer },
  bodies: { 'coins/categories/list': [{ at: '$[*]', fields: CATEGORY_FIELDS }] },
}
