import { ConfigError } from '../../config/config-error.ts'

/** Ranks move while a listing is read. A row may have a rank this much beyond the rows read. */
const MOVED_RANKS = 0.02

/**
 * Proves that rows which came without `order` are the largest coins by market cap. The service may list coins in another
 * order, so all ranks must lie within the rows read so far.
 *
 * @param itemsSoFar rows of the listing, those of this page included
 * @throws ConfigError RANKING_NOT_HEEDED
 */
export function confirmRanking(rows: readonly unknown[], itemsSoFar: number, url: string): void {
  const lastRank = Math.floor(itemsSoFar * (1 + MOVED_RANKS))
  const isRanked = rows.every((row) => {
    const rank = (row as { market_cap_rank?: unknown } | null)?.market_cap_rank
    return typeof rank === 'number' && rank <= lastRank
  })
  if (isRanked) return
  throw new ConfigError(
    `the service refuses \`order\`, and no ranks prove that its listing begins with the largest coins: GET ${url}`,
    {
      code: 'RANKING_NOT_HEEDED',
      hint: 'Choose the coins by their ids, or with `coins: all`.',
    },
  )
}
