import { join } from 'node:path'
import { runCoinlake } from '../coinlake-run.ts'
import type { Peer } from './peer.ts'
import { prepareLowerBoundPeer, prepareDltPeer, prepareHandPeer } from './script-peers.ts'
import { prepareSlingPeer } from './sling-peer.ts'
import { END_MS } from './w2-workload.ts'

/** The hand-written script. Tables show costs as multiples of the script's. */
export const BY_HAND = 'by hand'

/** All peers, in the order of the tables. `prepare` installs missing parts, or returns why it cannot. */
export const PEERS: readonly { name: string; prepare: () => Peer | string }[] = [
  { name: 'coinlake, server started', prepare: () => coinlakePeer() },
  { name: 'coinlake, server up', prepare: () => coinlakePeer('server') },
  { name: BY_HAND, prepare: prepareHandPeer },
  { name: 'dlt, at its best', prepare: () => prepareDltPeer('arrow') },
  { name: 'dlt, as documented', prepare: () => prepareDltPeer('rest') },
  { name: 'sling', prepare: prepareSlingPeer },
  { name: 'bound', prepare: prepareLowerBoundPeer },
]

/** Queries that give coinlake's columns the names of the workload. */
const QUERIES = {
  w1: `SELECT * RENAME (coin_id AS id, ath_at AS ath_date, atl_at AS atl_date,
    last_updated_at AS last_updated) FROM coin_markets`,
  w2: 'FROM market_chart',
}

function coinlakePeer(startedBefore?: 'server'): Peer {
  return {
    run: (work) => runCoinlake(work, { startedBefore }),
    table: ({ workload, dir }) => ({
      file: join(dir, 'warehouse', 'coinlake.duckdb'),
      query: QUERIES[workload.name],
      python: null,
      ...(workload.name === 'w2' ? { asked: `ts < ${END_MS}` } : {}),
    }),
  }
}
