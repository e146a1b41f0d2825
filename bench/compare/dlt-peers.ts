import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Peer, PeerWork } from './peer.ts'
import { pythonWith } from '../python-venv.ts'
import { scriptPeer } from './script-peer.ts'

/** How dlt is used: as its documentation has it, or with all that makes it fast. */
export type DltUse = 'rest' | 'arrow'

const USES: Record<DltUse, { name: string; packages: readonly string[] }> = {
  rest: {
    name: 'dlt, as documented',
    packages: ['dlt[duckdb]==1.31.0', 'duckdb==2.0.0'],
  },
  arrow: {
    name: 'dlt, at its best',
    packages: ['dlt[duckdb]==1.31.0', 'duckdb==2.0.0', 'pyarrow==26.0.1'],
  },
}

/** dlt in an environment of its own, or the reason why it cannot be had. */
export function prepareDltPeer(use: DltUse, env: NodeJS.ProcessEnv): Peer | string {
  const { name, packages } = USES[use]
  const prepared = pythonWith(packages, env)
  if (typeof prepared === 'string') return prepared
  const { python } = prepared
  const fileOf = ({ dir }: PeerWork): string => join(dir, 'dlt.duckdb')
  return scriptPeer({
    name,
    command: python,
    args: (work) => {
      const { workload, service, size, dir } = work
      const script = new URL(`../peers/dlt_${use}.py`, import.meta.url)
      const baseUrl = workload.baseUrl(service.url, size)
      return [fileURLToPath(script), baseUrl, String(size), fileOf(work), workload.table, dir]
    },
    env: ({ dir }) => ({ DLT_DATA_DIR: dir, RUNTIME__DLTHUB_TELEMETRY: 'false' }),
    table: (work) => ({ file: fileOf(work), query: `FROM market.${work.workload.table}`, python }),
  })
}
