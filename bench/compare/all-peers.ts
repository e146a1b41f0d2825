import { coinlakePeer } from './coinlake-peer.ts'
import type { Peer } from './peer.ts'
import { boundPeer, prepareDltPeer, prepareHandPeer } from './script-peers.ts'
import { prepareSlingPeer } from './sling-peer.ts'

/** A peer that may do the work. `prepare` installs missing parts, or returns why it cannot. */
export interface PeerCandidate {
  name: string
  prepare: (env: NodeJS.ProcessEnv) => Peer | string
}

/** The hand-written script. Tables show costs as multiples of the script's. */
export const BY_HAND = 'by hand'

/** All peers, in the order of the tables. */
export const PEERS: readonly PeerCandidate[] = [
  { name: 'coinlake, server started', prepare: () => coinlakePeer() },
  { name: 'coinlake, server up', prepare: () => coinlakePeer('server') },
  { name: BY_HAND, prepare: prepareHandPeer },
  { name: 'dlt, at its best', prepare: (env) => prepareDltPeer('arrow', env) },
  { name: 'dlt, as documented', prepare: (env) => prepareDltPeer('rest', env) },
  { name: 'sling', prepare: prepareSlingPeer },
  { name: 'bound', prepare: boundPeer },
]
