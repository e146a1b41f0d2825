import { catalogueBy } from './table/row-keys.ts'
import { listedPage } from './record/listed-table.ts'
import { PLATFORM_FIELDS } from './asset-platforms.ts'
import { FIRST_SEEN_AT, LAST_SEEN_AT, LIST_ORDINAL, PLATFORM_ID } from './table/common-columns.ts'
import type { Dataset, TableSpec } from './dataset.ts'
import { WITHOUT_SERIES } from './request/snapshot-dataset.ts'
import { singleStep } from './request/steps.ts'

export const NFT_PLATFORMS: TableSpec = {
  name: 'nft_platforms',
  description:
    'Platforms that the source lists under the filter nft, one row each; asset_platforms has their details. A source that ignores the filter lists all platforms here.',
  columns: [PLATFORM_ID, FIRST_SEEN_AT, LAST_SEEN_AT, LIST_ORDINAL],
  ...catalogueBy(['platform_id']),
}

const LIST = { spec: NFT_PLATFORMS, fields: PLATFORM_FIELDS }

/** A dataset of its own: some sources refuse the filter, and asset_platforms must be filled there too. */
export const nftPlatforms: Dataset = {
  name: 'nft_platforms',
  description: 'The list of blockchain platforms with NFTs, by the filter of the source.',
  kind: 'catalogue',
  operations: ['asset_platforms'],
  tables: [NFT_PLATFORMS],
  ...WITHOUT_SERIES,
  leftOut: [
    {
      path: '$[*], but for its id',
      reason: 'The same objects as without the filter, which asset_platforms holds.',
    },
  ],
  steps: () => [singleStep('asset_platforms', { filter: 'nft' })],
  toTables: (body, context) => listedPage(LIST, body, context),
  // The dataset asset_platforms answers this operation, and reads this table for the filter.
  answers: {},
}
