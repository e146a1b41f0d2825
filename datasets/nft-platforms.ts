import { SourceDataError } from '../api/errors.ts'
import { tableFromColumns } from './arrow-columns.ts'
import { PLATFORM_FIELDS } from './asset-platforms.ts'
import { FIRST_SEEN_AT, LAST_SEEN_AT, LIST_ORDINAL, PLATFORM_ID } from './common-columns.ts'
import type { Dataset, TableSpec } from './dataset.ts'
import { itemsOf, listingPage, ordinals, readListing } from './listing.ts'
import { WITHOUT_SERIES } from './without-series.ts'

/** The platforms that the source lists when it is asked for those with NFTs. */
export const NFT_PLATFORMS: TableSpec = {
  name: 'nft_platforms',
  description:
    'Platforms that the source lists under the filter nft, one row each; what they are stands in asset_platforms. A source that does not know the filter and ignores it lists all platforms here.',
  columns: [PLATFORM_ID, FIRST_SEEN_AT, LAST_SEEN_AT, LIST_ORDINAL],
  key: ['platform_id'],
  sort: ['platform_id'],
  load: 'catalogue',
  monthBy: null,
}

/**
 * Beside asset_platforms and no part of it: a source that refuses the filter, which the interface does
 * not name, still gives the whole list.
 */
export const nftPlatforms: Dataset = {
  name: 'nft_platforms',
  description: 'Which blockchain platforms have NFTs, by the filter of the source.',
  kind: 'catalogue',
  operations: ['asset_platforms'],
  tables: [NFT_PLATFORMS],
  entity: null,
  perCurrency: false,
  ...WITHOUT_SERIES,
  leftOut: [
    {
      path: '$[*], but for its id',
      reason: 'The same objects as without the filter, which asset_platforms holds.',
    },
  ],
  steps: () => [
    { operation: 'asset_platforms', params: { filter: 'nft' }, paging: 'single', perPage: 0 },
  ],
  toTables: (body, context) => {
    if (!Array.isArray(body)) throw new SourceDataError('$ is no array')
    const listing = readListing(PLATFORM_FIELDS, itemsOf(body), '$', ['platform_id'])
    const seen = { constant: context.observedAtMs }
    const columns = {
      platform_id: listing.rows.map((row) => row.values['platform_id'] as string),
      first_seen_at: seen,
      last_seen_at: seen,
      list_ordinal: ordinals(listing.rows, context),
    }
    const rows = tableFromColumns(NFT_PLATFORMS, columns, listing.rows.length)
    return listingPage(listing, [{ table: NFT_PLATFORMS.name, rows }])
  },
  // The operation is answered by asset_platforms, which reads this table for its filter.
  answers: {},
}
