import { column, required } from '../table/column.ts'
import { ABSENT, EXTRA, GRANULARITY, TS, VS_CURRENCY } from '../table/common-columns.ts'
import type { Column } from '../dataset.ts'

/** The columns of a chart's table after those of its subject. */
export const CHART_COLUMNS: readonly Column[] = [
  VS_CURRENCY,
  GRANULARITY,
  {
    ...TS,
    description:
      "The source's own time of the point, to the millisecond. It jitters: an hourly point may come 11 minutes or 2 hours after the last one. The last point of a series is the moment of the request. A daily point at 00:00 UTC of day D is the price at the start of D, that is the close of D-1.",
  },
  required(
    'bucket_at',
    'timestamp',
    'Start of the bucket of ts. Buckets are as long as the granularity and aligned to the epoch. Two coins have the same buckets. A bucket can hold two points, or none where the source has a gap.',
  ),
  column(
    'price',
    'double',
    'Price of one coin, sampled at ts and bit-equal to what the source sent. NULL where the source sent null.',
    'vs_currency',
  ),
  column(
    'market_cap',
    'double',
    'Price times circulating supply at ts. 0 means unknown (weeks after a listing), not worthless; NULL where the source sent null.',
    'vs_currency',
  ),
  column(
    'total_volume',
    'double',
    'Volume traded in the 24 hours before ts: a rolling figure. Never sum it over points closer than a day. 0 before 2014 means unknown.',
    'vs_currency',
  ),
  required('bucket_date', 'date', 'UTC date of bucket_at.'),
  {
    ...ABSENT,
    description:
      'Technical: JSON array that names the lists of the answer (prices, market_caps, total_volumes) without a good point at this ts. A list that no answer has sent at all is named with brackets: prices[]. A null that was sent is not named. NULL when all three lists had a point.',
  },
  {
    ...EXTRA,
    description:
      'Technical: JSON object {"listed_after": epoch ms} of a point that the source listed out of order. It names the time of the point before it in the list. NULL otherwise.',
  },
]
