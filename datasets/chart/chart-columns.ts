import { column, required } from '../table/column.ts'
import { ABSENT, EXTRA, GRANULARITY, TS, VS_CURRENCY } from '../table/common-columns.ts'
import type { Column } from '../dataset.ts'

/** The columns of a chart's table after those that name its subject. */
export const CHART_COLUMNS: readonly Column[] = [
  VS_CURRENCY,
  GRANULARITY,
  {
    ...TS,
    description:
      "The source's own time of the point, to the millisecond. It jitters (an hourly point may come 11 minutes or 2 hours after the last one), and the last point of a series is the moment of the request. A daily point at 00:00 UTC of day D is the price at the start of D, that is the close of D-1.",
  },
  required(
    'bucket_at',
    'timestamp',
    'Start of the step of the granularity that holds ts, aligned to the epoch. Two coins have the same buckets. A bucket can hold two points, or none where the source has a gap.',
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
      'Technical: JSON array of the arrays of the answer (prices, market_caps, total_volumes) that had no good point at this ts, prices[] for an array that neither this answer nor an earlier one sent at all; NULL when all three had a point. Unlike these, a null that was sent is not listed.',
  },
  {
    ...EXTRA,
    description:
      'Technical: JSON object {"listed_after": epoch ms} of a point that the source listed out of order, after the point of that time; NULL otherwise.',
  },
]
