import type { Clock } from '../../config/clock.ts'
import type { Config } from '../../config/config.ts'
import { pathsOf } from '../../config/warehouse-paths.ts'
import { datasets } from '../../datasets/index.ts'
import { PUBLICATION_DAMAGE } from '../../sinks/duckdb-store/as-sink-error.ts'
import { openSession } from '../../sinks/duckdb-store/session.ts'
import { openPublished } from '../query/open-published.ts'
import { QueryError } from '../query/query-error.ts'
import { freshnessFacts } from './freshness-facts.ts'
import type { Freshness } from './freshness-facts.ts'

/**
 * How fresh a warehouse is for its readers: what is published is looked at and never the store, so that
 * no run is held up. Nothing published = nothing there.
 *
 * @throws QueryError for a publication that cannot be read
 */
export async function publishedFreshness(config: Config, clock: Clock): Promise<Freshness[]> {
  const paths = pathsOf(config)
  const facts = { config, datasets, nowMs: clock.nowMs() }
  const publication = await openPublished(paths, 'UTC').catch((error: unknown) => {
    if (error instanceof QueryError && error.code === 'NO_PUBLICATION') return null
    throw error
  })
  if (publication === null) return freshnessFacts(async () => [], facts)
  const session = openSession(publication.connection, paths.duckdbLink, PUBLICATION_DAMAGE)
  try {
    return await freshnessFacts((sql) => session.rows(sql), facts)
  } finally {
    publication.close()
  }
}
