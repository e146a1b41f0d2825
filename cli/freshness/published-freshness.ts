import type { Clock } from '../../config/clock.ts'
import type { Config } from '../../config/config.ts'
import { pathsOf } from '../../config/warehouse-paths.ts'
import { requireSameSource } from '../ledger/same-source.ts'
import { findPublished, openPublished } from '../query/open-published.ts'
import { freshnessFacts, type Freshness } from './freshness-facts.ts'
import { withOpen } from '../run/closing-after.ts'

/**
 * The freshness of a warehouse for its readers. Only publications are read and never the store, so no run waits.
 * Without a publication the state of every order is `none`.
 *
 * @throws ConfigError SOURCE_CHANGED; QueryError for an unreadable publication; NO_PUBLICATION without orders
 */
export async function publishedFreshness(config: Config, clock: Clock): Promise<Freshness[]> {
  const paths = pathsOf(config)
  const isOrdered = config.datasets.length > 0
  const opening = isOrdered ? findPublished(paths) : openPublished(paths, 'UTC')
  return await withOpen(opening, async (publication) => {
    if (publication !== null) await requireSameSource(config, publication)
    const rows = publication?.rows ?? (async () => [])
    return await freshnessFacts(rows, { config, nowMs: clock.nowMs() })
  })
}
