import { isRecord } from '../config/values/is-record.ts'
import { catalogueBy } from './table/row-keys.ts'
import { SourceDataError } from '../api/errors.ts'
import { canonicalAddress } from '../config/values/token-ref.ts'
import {
  ABSENT,
  COIN_ID,
  CONTRACT_ADDRESS,
  EXTRA,
  FIRST_SEEN_AT,
  LAST_SEEN_AT,
  LIST_ORDINAL,
  PLATFORM_ID,
} from './table/common-columns.ts'
import type { Answer, TableSpec } from './dataset.ts'
import { jsonText } from './record/json-text.ts'
import {
  itemsOf,
  listingPage,
  type ListingRow,
  listingTable,
  readListing,
  rowsTable,
} from './record/listing.ts'
import { newestRows } from './record/newest-rows.ts'
import { isCleanText } from './record/record-value.ts'
import { field, type RecordField, json, requiredText } from './record/record-field.ts'
import { snapshotDataset } from './request/snapshot-dataset.ts'
import { writeRecord } from './record/write-record.ts'

const COIN_FIELDS: readonly RecordField[] = [
  field('id', COIN_ID),
  requiredText(
    'symbol',
    'Ticker symbol, lower case. Never join on it: it is not unique (more than 70 coins share one), may be empty, and can be a word like null or true. A coin that changes its symbol gets another row.',
  ),
  requiredText(
    'name',
    'Display name, any Unicode text. A coin that changes its name gets another row.',
  ),
  json('platforms', 'Contract addresses by platform.'),
]

export const COINS: TableSpec = {
  name: 'coins',
  description:
    'Coins of the source, one row per coin and per period of its name and symbol: the point-in-time universe. A coin that is gone keeps its row, and its last_seen_at no longer changes.',
  columns: [
    ...COIN_FIELDS.map(({ column }) => column).filter(({ name }) => name !== 'platforms'),
    FIRST_SEEN_AT,
    LAST_SEEN_AT,
    LIST_ORDINAL,
    ABSENT,
    EXTRA,
  ],
  ...catalogueBy(['coin_id', 'symbol', 'name'], ['coin_id', 'first_seen_at']),
}

const COIN_PLATFORMS: TableSpec = {
  name: 'coin_platforms',
  description:
    'Contract addresses of coins: one row per coin, platform and address. A coin with a chain of its own has no row, and neither has a platform without a known address.',
  columns: [
    COIN_ID,
    PLATFORM_ID,
    {
      ...CONTRACT_ADDRESS,
      description: `${CONTRACT_ADDRESS.description} Can be empty.`,
    },
    FIRST_SEEN_AT,
    LAST_SEEN_AT,
  ],
  ...catalogueBy(
    ['coin_id', 'platform_id', 'contract_address'],
    ['coin_id', 'platform_id', 'first_seen_at'],
  ),
}

const answer: Answer = {
  select: ({ status }, nowMs) => {
    const gone = status === 'inactive'
    const orderBy = [{ column: 'coin_id' }, { column: 'platform_id' }]
    return [
      newestRows(COINS, nowMs, { gone }),
      newestRows(COIN_PLATFORMS, nowMs, { gone, orderBy }),
    ]
  },
  toBody: ([coins = [], platforms = []], params, nowMs) => {
    const platformsByCoin = Map.groupBy(platforms, (row) => row['coin_id'])
    return coins.map((coin) => {
      const current = (platformsByCoin.get(coin['coin_id']) ?? []).filter(
        (row) => Number(row['last_seen_at']) >= Math.min(Number(coin['last_seen_at']), nowMs),
      )
      const addresses = current.map((row) => [row['platform_id'], row['contract_address']])
      const record = writeRecord(COIN_FIELDS, {
        ...coin,
        platforms: jsonText(Object.fromEntries(addresses)),
      })
      if (params['include_platform'] !== 'true') delete record['platforms']
      return record
    })
  },
}

export const coins = snapshotDataset({
  name: 'coins',
  description: 'The list of coins, and their contract addresses by platform.',
  kind: 'catalogue',
  operation: 'coins/list',
  params: () => ({ include_platform: 'true' }),
  tables: [COINS, COIN_PLATFORMS],
  toTables: (body, context) => {
    if (!Array.isArray(body)) throw new SourceDataError('$ is no array')
    const listing = readListing(COIN_FIELDS, itemsOf(body), '$', COINS.key)
    const addresses = listing.rows.flatMap((row) =>
      addressesOf(row, (body[row.index] as { platforms?: unknown }).platforms),
    )
    return listingPage(listing, [
      listingTable(COINS, COIN_FIELDS, listing.rows, context),
      rowsTable(COIN_PLATFORMS, addresses, context),
    ])
  },
  answer,
  parts: [{ at: '$[*]', fields: COIN_FIELDS }],
})

/** The rows of one coin's addresses. `_extra` keeps the whole map when the columns cannot give it back exactly. */
function addressesOf(row: ListingRow, platforms: unknown): Record<string, string>[] {
  if (platforms === undefined) return []
  const map = isRecord(platforms) ? platforms : {}
  const entries = Object.entries(map)
  const coin_id = row.values['coin_id'] as string
  const addresses = entries
    .filter((entry) => entry.every(isCleanText))
    .map(([platform_id, address]) => {
      return { coin_id, platform_id, contract_address: canonicalAddress(String(address)) }
    })
  const isExact = addresses.every((one) => map[one.platform_id] === one.contract_address)
  if (!isRecord(platforms) || addresses.length < entries.length || !isExact) {
    row.extra.set('platforms', platforms)
  }
  return addresses
}
