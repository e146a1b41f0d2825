import { required } from '../table/column.ts'
import { snapshotBy } from '../table/row-keys.ts'
import { snapshotTable } from '../table/snapshot-table.ts'
import { ABSENT, EXTRA, OBSERVED_AT, OBSERVED_DATE, ORDINAL } from '../table/common-columns.ts'
import type { Column, TableSpec } from '../dataset.ts'
import { child, columnsOf, type RecordField } from '../record/record-field.ts'
import { SEARCH_FIELDS, SEARCH_LISTS } from './search-fields.ts'

export const SEARCH_BODY_FIELDS: readonly RecordField[] = SEARCH_LISTS.map(({ key }) =>
  child(key, 'list', 'Rows of search_results.'),
)

const QUERY = required('query', 'string', 'The text of the search, as it was written.')

export const SEARCHES = snapshotTable({
  name: 'searches',
  description:
    'Searches: one row per text and observation, with how much was found. A search that found nothing has a row here, and none in search_results.',
  key: ['query', 'observed_at'],
  columns: [
    QUERY,
    ...SEARCH_LISTS.map(({ countColumn, key }): Column =>
      required(
        countColumn,
        'integer',
        `How many ${key} the source listed; it cuts long lists.`,
        key,
      ),
    ),
  ],
})

/** All kinds of results in one table, because they share most columns. */
export const SEARCH_RESULTS: TableSpec = {
  name: 'search_results',
  description:
    'Coins, exchanges, categories and collections that a search found at one moment: one row per text, kind, place and observation. Columns that a kind does not have are NULL.',
  columns: [
    QUERY,
    OBSERVED_AT,
    OBSERVED_DATE,
    required(
      'kind',
      'string',
      `Kind of the result: ${SEARCH_LISTS.map(({ kind }) => kind).join(', ')}. An ico is a public sale of a new coin; no search has found one so far.`,
    ),
    {
      ...ORDINAL,
      description: 'Place among the results of its kind from 0; coins come by market cap.',
    },
    ...columnsOf(SEARCH_FIELDS),
    ABSENT,
    EXTRA,
  ],
  ...snapshotBy(['query', 'observed_at', 'kind', 'ordinal']),
}
