import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { peerRun, type Peer, type PeerWork } from './peer.ts'
import { pythonWith } from '../python-venv.ts'
import { measureTree } from '../machine/measure.ts'

/** A script of bench/peers/. Its arguments are base URL, size and database file. */
interface ScriptFile {
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
function prepare(one: ScriptFile): Peer | string {
  const prepared = one.packages === null ? null : pythonWith(one.packages)
  if (typeof prepared === 'string') return prepared
  const python = prepared?.python ?? null
  const fileOf = ({ dir }: PeerWork): string => join(dir, 'peer.duckdb')
  return scriptPeer({
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

export const HAND_PACKAGES = ['requests==2.34.2', 'pandas==3.1.1', 'duckdb==2.0.0']
export const DLT_PACKAGES = ['dlt[duckdb]==1.31.0', 'duckdb==2.0.0']

export const prepareHandPeer = (): Peer | string =>
  prepare({
    script: ({ workload }) => `hand_${workload.name}.py`,
    packages: HAND_PACKAGES,
  })

/** dlt as its documentation shows it (`rest`), or tuned for speed (`arrow`). */
export const prepareDltPeer = (use: 'rest' | 'arrow'): Peer | string =>
  prepare({
    script: () => `dlt_${use}.py`,
    packages: use === 'rest' ? DLT_PACKAGES : [...DLT_PACKAGES, 'pyarrow==26.0.1'],
    more: ({ workload, dir }) => [workload.table, dir],
    env: ({ dir }) => ({ DLT_DATA_DIR: dir, RUNTIME__DLTHUB_TELEMETRY: 'false' }),
    schema: 'market.',
  })

/** A lower bound: DuckDB's JSON parser reads the answers, and nothing else is done. */
export const prepareLowerBoundPeer = (): Peer | string =>
  prepare({
    script: () => 'lower-bound.ts',
    packages: null,
    more: ({ workload }) => [workload.name],
  })

/** A command that does the work, and prints the number of rows as its last line. */
interface PeerScript extends Pick<Peer, 'table'> {
  command: string
  args(work: PeerWork): string[]
  env?: (work: PeerWork) => NodeJS.ProcessEnv
  /** Writes the files of the command into the folder, which exists. */
  prepare?: (work: PeerWork) => void
}

/** A command that runs longer hangs: the slowest known one takes a twentieth. */
const LIMIT_MS = 1_200_000
/** The last lines of an error output say what happened. */
const TOLD_LINES = 3

export function scriptPeer(script: PeerScript): Peer {
  return {
    table: (work) => script.table(work),
    async run(work) {
      if (work.isAgain !== true) rmSync(work.dir, { recursive: true, force: true })
      mkdirSync(work.dir, { recursive: true })
      script.prepare?.(work)
      const measured = await measureTree(script.command, script.args(work), {
        cwd: work.dir,
        env: { ...process.env, ...script.env?.(work) },
        limitMs: LIMIT_MS,
      })
      const times = await work.service.takeTimes()
      const { exitCode, stdout, stderr } = measured
      if (exitCode !== 0) {
        const end = `${stdout}\n${stderr}`.trim().split('\n').slice(-TOLD_LINES).join(' ')
        throw new Error(`ended with ${exitCode ?? 'a signal'}: ${end}`)
      }
      return peerRun(measured, times, Number(stdout.trim().split('\n').at(-1)))
    },
  }
}
