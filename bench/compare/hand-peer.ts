import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Peer, PeerWork } from './peer.ts'
import { pythonWith } from '../python-venv.ts'
import { scriptPeer } from './script-peer.ts'

/** The packages of the script, pinned: a newer pandas is another measurement. */
const PACKAGES = ['requests==2.34.2', 'pandas==3.1.1', 'duckdb==2.0.0']

/**
 * The script one writes by hand, its Python environment made once, in the user's cache. Returns the reason as
 * text when that cannot be: then coinlake is measured alone.
 */
export function prepareHandPeer(env: NodeJS.ProcessEnv): Peer | string {
  const prepared = pythonWith(PACKAGES, env)
  if (typeof prepared === 'string') return prepared
  const { python } = prepared
  const fileOf = ({ dir }: PeerWork): string => join(dir, 'hand.duckdb')
  return scriptPeer({
    name: 'by hand',
    command: python,
    args: (work) => {
      const { workload, service, size } = work
      const script = new URL(`../peers/hand_${workload.name}.py`, import.meta.url)
      const baseUrl = workload.baseUrl(service.url, size)
      return [fileURLToPath(script), baseUrl, String(size), fileOf(work)]
    },
    table: (work) => ({ file: fileOf(work), query: `FROM ${work.workload.table}`, python }),
  })
}
