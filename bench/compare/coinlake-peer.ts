import { join } from 'node:path'
import { runCoinlake } from '../coinlake-run.ts'
import type { Peer } from './peer.ts'
import { END_MS } from './w2-workload.ts'

/** Queries that give coinlake's columns the names of the workload. */
const QUERIES = {
  w1: `SELECT * RENAME (coin_id AS id, ath_at AS ath_date, atl_at AS atl_date,
    last_updated_at AS last_updated) FROM coin_markets`,
  w2: 'FROM market_chart',
}

export function coinlakePeer(startedBefore?: 'server'): Peer {
  return {
    name: startedBefore === 'server' ? 'coinlake, server up' : 'coinlake, server started',
    run: (work) => runCoinlake(work, startedBefore === undefined ? {} : { startedBefore }),
    table: ({ workload, dir }) => ({
      file: join(dir, 'warehouse', 'coinlake.duckdb'),
      query: QUERIES[workload.name],
      python: null,
      ...(workload.name === 'w2' ? { asked: `ts < ${END_MS}` } : {}),
    }),
  }
}
