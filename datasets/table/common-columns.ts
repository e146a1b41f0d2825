import { column, required } from './column.ts'

// Columns that mean the same in every table.

export const COIN_ID = required(
  'coin_id',
  'string',
  'Id of the coin at the source: unique and stable, unlike its symbol, so join on nothing else. Mostly a slug, but some ids have spaces, brackets or underscores.',
)

export const VS_CURRENCY = required(
  'vs_currency',
  'string',
  'Currency of the amounts in this row, lower case.',
)

export const GRANULARITY = required(
  'granularity',
  'string',
  'Nominal distance of neighbouring points: 5m, 10m, 30m, 1h, 4h, 1d or 4d.',
)

export const TS = required('ts', 'timestamp', 'Time of the row.')

export const OBSERVED_AT = required(
  'observed_at',
  'timestamp',
  "When the source answered (its Date header, whole seconds); one time for all pages of a listing. The source's values may be some minutes older.",
)

export const OBSERVED_DATE = required('observed_date', 'date', 'UTC date of observed_at.')

export const FIRST_SEEN_AT = required(
  'first_seen_at',
  'timestamp',
  'When this row was first in a listing that coinlake read. The time before the first sync is unknown.',
)

export const LAST_SEEN_AT = required(
  'last_seen_at',
  'timestamp',
  'When this row was last in a listing that coinlake read. A row older than the newest listing is gone, renamed or delisted. A listing between first_seen_at and this time may have lacked the row.',
)

export const LIST_ORDINAL = required(
  'list_ordinal',
  'integer',
  "Place in the source's list from 0, when it was last seen there.",
)

export const EXCHANGE_ID = required(
  'exchange_id',
  'string',
  'Id of the exchange at the source: unique and stable. Join on nothing else.',
)

export const PLATFORM_ID = required(
  'platform_id',
  'string',
  'Id of the asset platform (the chain), such as ethereum or polygon-pos.',
)

export const CONTRACT_ADDRESS = required(
  'contract_address',
  'string',
  'Address of the token on the platform. EVM addresses (0x...) are always in lower case, others as the source writes them.',
)

export const CATEGORY_ID = required(
  'category_id',
  'string',
  'Id of the category at the source, a slug such as layer-1. Join on nothing else.',
)

export const ORDINAL = required(
  'ordinal',
  'integer',
  'Place in the whole listing from 0, over all its pages.',
)

export const ABSENT = column(
  '_absent',
  'json',
  'Technical: JSON array of documented keys that the source did not send in this row (dotted inside an object). A key that was sent as null is not listed. NULL when it sent all keys.',
)

export const EXTRA = column(
  '_extra',
  'json',
  'Technical: JSON object with all that no column can hold: new keys of the source, and values that their column would give back in another form. NULL when there is none.',
)
