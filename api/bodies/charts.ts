import { z } from 'zod'
import { NUMBER, POINT_MS } from './fields.ts'

const POINTS = z.array(z.tuple([POINT_MS, NUMBER]))

/** Points of a chart; values are in the currency asked for. */
export const CHART_BODY = z.looseObject({
  prices: POINTS.describe('[epoch ms, price]'),
  market_caps: POINTS.describe('[epoch ms, market cap]'),
  total_volumes: POINTS.describe('[epoch ms, volume of the 24 hours before]'),
})

/** Candles: the time is that of the close, and the last one is still running. */
export const CANDLES_BODY = z
  .array(z.tuple([POINT_MS, NUMBER, NUMBER, NUMBER, NUMBER]))
  .describe('[epoch ms of the close, open, high, low, close]')

/** The volume is a text of up to a hundred digits; older ones are numbers. */
export const VOLUMES_BODY = z
  .array(z.tuple([POINT_MS, z.union([z.string(), z.number()])]))
  .describe('[epoch ms, BTC of the 24 hours before as decimal text]')
