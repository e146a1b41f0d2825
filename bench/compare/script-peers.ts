import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Peer, PeerWork } from './peer.ts'
import { pythonWith } from '../python-venv.ts'
import { scriptPeer } from './script-peer.ts'

/** A script of bench/peers/. It gets base URL, size and database file. */
interface ScriptFile {
  name: string
  script: (work: PeerWork) => string
  /** Pinned packages for a Python environment: a newer pandas is another measurement. null = Node runs the script. */
  packages: readonly string[] | null
  /** Further arguments. */
  more?: (work: PeerWork) => string[]
  env?: (work: PeerWork) => NodeJS.ProcessEnv
  /** Schema of the table in the file, with a dot at the end. */
  schema?: string
}

/** The peer, or the reason why its packages are not available. */
function prepare(one: ScriptFile, env: NodeJS.ProcessEnv): Peer | string {
  const prepared = one.packages === null ? null : pythonWith(one.packages, env)
  if (typeof prepared === 'string') return prepared
  const python = prepared?.python ?? null
  const fileOf = ({ dir }: PeerWork): string => join(dir, 'peer.duckdb')
  return scriptPeer({
    name: one.name,
    command: python ?? process.execPath,
    args: (work) => {
      const script = fileURLToPath(new URL(`../peers/${one.script(work)}`, import.meta.url))
      const baseUrl = work.workload.baseUrl(work.service.url, work.size)
      return [script, baseUrl, String(work.size), fileOf(work), ...(one.more?.(work) ?? [])]
    },
    ...(one.env === undefined ? {} : { env: one.env }),
    table: (work) => {
      const query = `FROM ${one.schema ?? ''}${work.workload.table}`
      return { file: fileOf(work), query, python }
    },
  })
}

/** The hand-written script. */
export const prepareHandPeer = (env: NodeJS.ProcessEnv): Peer | string =>
  prepare(
    {
      name: 'by hand',
      script: ({ workload }) => `hand_${workload.name}.py`,
      packages: ['requests==2.34.2', 'pandas==3.1.1', 'duckdb==2.0.0'],
    },
    env,
  )

const DLT = ['dlt[duckdb]==1.31.0', 'duckdb==2.0.0']

/** dlt as its documentation shows it (`rest`), or tuned for speed (`arrow`). */
export const prepareDltPeer = (use: 'rest' | 'arrow', env: NodeJS.ProcessEnv): Peer | string =>
  prepare(
    {
      name: use === 'rest' ? 'dlt, as documented' : 'dlt, at its best',
      script: () => `dlt_${use}.py`,
      packages: use === 'rest' ? DLT : [...DLT, 'pyarrow==26.0.1'],
      more: ({ workload, dir }) => [workload.table, dir],
      env: ({ dir }) => ({ DLT_DATA_DIR: dir, RUNTIME__DLTHUB_TELEMETRY: 'false' }),
      schema: 'market.',
    },
    env,
  )

/** A lower bound: DuckDB's JSON parser reads the answers, and nothing else is done. */
export const boundPeer = (env: NodeJS.ProcessEnv): Peer | string =>
  prepare({ name: 'bound', script: () => 'bound.ts', packages: null, more: nameOf }, env)

function nameOf({ workload }: PeerWork): string[] {
  return [workload.name]
}
