import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Peer, PeerWork } from './peer.ts'
import { scriptPeer } from './script-peer.ts'

/** The same rows with nothing between the answers and DuckDB's own JSON parser: a lower bound. */
export function boundPeer(): Peer {
  const fileOf = ({ dir }: PeerWork): string => join(dir, 'bound.duckdb')
  return scriptPeer({
    name: 'bound',
    command: process.execPath,
    args: (work) => {
      const { workload, service, size } = work
      const script = new URL(`../peers/bound_${workload.name}.ts`, import.meta.url)
      const baseUrl = workload.baseUrl(service.url, size)
      return [fileURLToPath(script), baseUrl, String(size), fileOf(work)]
    },
    table: (work) => ({ file: fileOf(work), query: `FROM ${work.workload.table}`, python: null }),
  })
}
