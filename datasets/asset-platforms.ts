import { SourceDataError } from '../api/errors.ts'
import { tableFromColumns } from './arrow-columns.ts'
import {
  ABSENT,
  EXTRA,
  FIRST_SEEN_AT,
  LAST_SEEN_AT,
  LIST_ORDINAL,
  PLATFORM_ID,
} from './common-columns.ts'
import type { Answer, Dataset, TableSpec } from './dataset.ts'
import { itemsOf, listingColumns, listingPage, ordinals, readListing } from './listing.ts'
import { columnsOf, count, field, text, type RecordField } from './record-field.ts'
import { WITHOUT_SERIES } from './without-series.ts'
import { writeRecord } from './write-record.ts'

/** The object of one platform. */
export const PLATFORM_FIELDS: readonly RecordField[] = [
  field('id', PLATFORM_ID),
  count(
    'chain_identifier',
    null,
    'Chain id of EVM chains (1 for Ethereum, 137 for Polygon); NULL for all others and where it is not known.',
  ),
  text('name', 'Display name when it was last seen.'),
  text('shortname', 'Short name; empty for most.'),
  text(
    'native_coin_id',
    'Id of the coin that fees are paid in; joins to coins. NULL where none is known.',
  ),
  text('image.thumb', 'URL of the small logo.'),
  text('image.small', 'URL of the logo.'),
  text('image.large', 'URL of the large logo.'),
]

/** Every platform ever listed since the first sync. */
export const ASSET_PLATFORMS: TableSpec = {
  name: 'asset_platforms',
  description:
    'Blockchain platforms on which tokens live, one row each. One that is gone keeps its row; its last_seen_at stands still.',
  columns: [
    ...columnsOf(PLATFORM_FIELDS),
    FIRST_SEEN_AT,
    LAST_SEEN_AT,
    LIST_ORDINAL,
    ABSENT,
    EXTRA,
  ],
  key: ['platform_id'],
  sort: ['platform_id'],
  load: 'catalogue',
  monthBy: null,
}

const answer: Answer = {
  select: (params, nowMs) => {
    const newest = { column: 'last_seen_at', nowMs }
    const orderBy = [{ column: 'list_ordinal' }]
    const all = { table: ASSET_PLATFORMS.name, newest, orderBy }
    return params['filter'] === 'nft' ? [all, { table: 'nft_platforms', newest, orderBy }] : [all]
  },
  toBody: ([platforms = [], nft], params) => {
    if (params['filter'] !== 'nft') return platforms.map((row) => writeRecord(PLATFORM_FIELDS, row))
    const byId = new Map(platforms.map((row) => [row['platform_id'], row]))
    return (nft ?? []).flatMap(({ platform_id: id }) => {
      const row = byId.get(id)
      return row === undefined ? [] : [writeRecord(PLATFORM_FIELDS, row)]
    })
  },
}

export const assetPlatforms: Dataset = {
  name: 'asset_platforms',
  description: 'The list of blockchain platforms on which tokens live.',
  kind: 'catalogue',
  operations: ['asset_platforms'],
  tables: [ASSET_PLATFORMS],
  entity: null,
  perCurrency: false,
  ...WITHOUT_SERIES,
  steps: () => [{ operation: 'asset_platforms', params: {}, paging: 'single', perPage: 0 }],
  toTables: (body, context) => {
    if (!Array.isArray(body)) throw new SourceDataError('$ is no array')
    const listing = readListing(PLATFORM_FIELDS, itemsOf(body), '$', ['platform_id'])
    const seen = { constant: context.observedAtMs }
    const columns = {
      ...listingColumns(PLATFORM_FIELDS, listing.rows),
      first_seen_at: seen,
      last_seen_at: seen,
      list_ordinal: ordinals(listing.rows, context),
    }
    const rows = tableFromColumns(ASSET_PLATFORMS, columns, listing.rows.length)
    return listingPage(listing, [{ table: ASSET_PLATFORMS.name, rows }])
  },
  answers: { asset_platforms: answer },
  bodies: { asset_platforms: [{ at: '$[*]', fields: PLATFORM_FIELDS }] },
}
