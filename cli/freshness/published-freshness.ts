import type { Clock } from '../../config/clock.ts'
import type { Config } from '../../config/config.ts'
import { pathsOf } from '../../config/warehouse-paths.ts'
import { datasets } from '../../datasets/index.ts'
import { requireSameSource } from '../ledger/same-source.ts'
import { findPublished, openPublished } from '../query/open-published.ts'
import { freshnessFacts } from './freshness-facts.ts'
import type { Freshness } from './freshness-facts.ts'

/**
 * How fresh a warehouse is for its readers: what is published is looked at and never the store, so that
 * no run is held up. Nothing published = nothing of any order there.
 *
 * @throws ConfigError SOURCE_CHANGED; QueryError for a publication that cannot be read, and NO_PUBLICATION where no order
 *   would tell that nothing is there
 */
export async function publishedFreshness(config: Config, clock: Clock): Promise<Freshness[]> {
  const paths = pathsOf(config)
  const isOrdered = config.datasets.length > 0
  const publication = isOrdered ? await findPublished(paths) : await openPublished(paths, 'UTC')
  try {
    if (publication !== null) await requireSameSource(config, publication)
    const rows = publication?.rows ?? (async () => [])
    return await freshnessFacts(rows, { config, datasets, nowMs: clock.nowMs() })
  } finally {
    publication?.close()
  }
}
