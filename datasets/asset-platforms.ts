import { catalogueOf, listedDataset } from './record/listed-table.ts'
import { newestRows } from './record/newest-rows.ts'
import { PLATFORM_ID } from './table/common-columns.ts'
import type { Answer, Dataset } from './dataset.ts'
import { count, field, text, type RecordField } from './record/record-field.ts'
import { writeRecord } from './record/write-record.ts'

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

const ASSET_PLATFORMS = catalogueOf(PLATFORM_FIELDS, {
  name: 'asset_platforms',
  description:
    'Blockchain platforms on which tokens live, one row each. A platform that is gone keeps its row, and its last_seen_at no longer changes.',
})

const answer: Answer = {
  select: (params, nowMs) => {
    const all = newestRows(ASSET_PLATFORMS, nowMs)
    return params['filter'] === 'nft' ? [all, { ...all, table: 'nft_platforms' }] : [all]
  },
  toBody: ([platforms = [], nft]) => {
    const byId = new Map(platforms.map((row) => [row['platform_id'], row]))
    const shown = nft?.map(({ platform_id: id }) => byId.get(id)) ?? platforms
    return shown.flatMap((row) => (row === undefined ? [] : [writeRecord(PLATFORM_FIELDS, row)]))
  },
}

export const assetPlatforms: Dataset = {
  ...listedDataset(
    {
      name: 'asset_platforms',
      description: 'The list of blockchain platforms on which tokens live.',
      kind: 'catalogue',
    },
    [{ operation: 'asset_platforms', spec: ASSET_PLATFORMS, fields: PLATFORM_FIELDS }],
  ),
  answers: { asset_platforms: answer },
}
