import { readdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Peer, PeerWork } from './peer.ts'
import { pythonWith } from '../python-venv.ts'
import { scriptPeer } from './script-peers.ts'

/**
 * `sling-linux-amd64` has the binary inside, and the package `sling` downloads one. 1.4.11 is its newest
 * version on PyPI. sling runs the `duckdb` command, so `duckdb-cli` is needed, too.
 */
const PACKAGES = ['sling-linux-amd64==1.4.11', 'duckdb-cli==1.5.6']

/** sling stores an answer as one row with three JSON arrays. This SELECT makes a row of each point. */
const CHART_AS_ROWS = `SELECT 'coin-' || coin_number::BIGINT AS coin_id, (price[1])::BIGINT AS ts,
    price[2]::DOUBLE AS price, cap[2]::DOUBLE AS market_cap, volume[2]::DOUBLE AS total_volume
  FROM (SELECT coin_number, unnest(prices::JSON[][]) AS price, unnest(market_caps::JSON[][]) AS cap,
      unnest(total_volumes::JSON[][]) AS volume
    FROM main.market_chart)`

/** sling with a specification of the service, or the reason why sling is not available. */
export function prepareSlingPeer(): Peer | string {
  if (process.platform !== 'linux' || process.arch !== 'x64')
    return `its binary is for linux x64, and this is ${process.platform} ${process.arch}`
  const prepared = pythonWith(PACKAGES)
  if (typeof prepared === 'string') return prepared
  const lib = join(dirname(prepared.python), '..', 'lib')
  const packages = join(lib, readdirSync(lib)[0] ?? '', 'site-packages')
  const fileOf = ({ dir }: PeerWork): string => join(dir, 'sling.duckdb')
  const peerFile = (name: string): string =>
    fileURLToPath(new URL(`../peers/${name}`, import.meta.url))
  return scriptPeer({
    command: join(packages, 'sling_linux_amd64', 'bin', 'sling-linux-amd64'),
    prepare: ({ workload, dir }) => {
      const target = `target: LAKE\nstreams:\n  ${workload.table}:\n    mode: full-refresh\n`
      const object = `    object: main.${workload.table}\n`
      writeFileSync(join(dir, 'replication.yaml'), `source: MARKET\n${target}${object}`)
    },
    args: ({ dir }) => ['run', '-r', join(dir, 'replication.yaml')],
    env: (work) => ({
      HOME: work.dir,
      SLING_HOME_DIR: join(work.dir, 'sling'),
      SLING_DISABLE_TELEMETRY: 'TRUE',
      DUCKDB_PATH: peerFile('duckdb_filter.sh'),
      DUCKDB_BINARY: join(packages, 'duckdb_cli', 'duckdb'),
      MARKET_URL: work.workload.baseUrl(work.service.url, work.size),
      LAST_COIN: String(work.size - 1),
      MARKET: JSON.stringify({ type: 'api', spec: `file://${peerFile('sling_market.yaml')}` }),
      LAKE: JSON.stringify({ type: 'duckdb', instance: fileOf(work), copy_method: 'csv_files' }),
    }),
    table: (work) => ({
      file: fileOf(work),
      query: work.workload.name === 'w2' ? CHART_AS_ROWS : 'FROM main.coin_markets',
      python: null,
    }),
  })
}
