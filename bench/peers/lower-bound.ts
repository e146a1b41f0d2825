import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { request } from 'undici'

// This peer shows the shortest time that the machine allows. The script fetches every body, four at once, and writes each
// to a file unchanged. DuckDB then parses and loads all files in one statement. Nothing is checked, recorded or resumed.
// Arguments: base URL, pages or coins, database file, workload.

const AT_ONCE = 4
const FROM_S = 1_704_067_200
const TO_S = FROM_S + 90 * 86_400

const [baseUrl = '', size = '0', file = '', workload = 'w1'] = process.argv.slice(2)
const folder = `${file}.bodies`
mkdirSync(folder, { recursive: true })
const bodies = join(folder, '*.json')

const WORKLOADS: Record<
  string,
  { table: string; paths: [name: string, path: string][]; sql: string }
> = {
  w1: {
    table: 'coin_markets',
    // One more page: the empty one at the listing's end.
    paths: Array.from({ length: Number(size) + 1 }, (_, at) => [
      `${at + 1}`,
      `coins/markets?vs_currency=usd&order=id_asc&per_page=250&page=${at + 1}`,
    ]),
    sql: `SELECT * FROM read_json('${bodies}', format = 'array')`,
  },
  w2: {
    table: 'market_chart',
    paths: Array.from({ length: Number(size) }, (_, coin) => [
      `coin-${coin}`,
      `coins/coin-${coin}/market_chart/range?vs_currency=usd&from=${FROM_S}&to=${TO_S}`,
    ]),
    sql: `SELECT parse_filename(filename, true) AS coin_id, make_timestamptz(price[1]::BIGINT * 1000) AS ts,
        price[2] AS price, cap[2] AS market_cap, volume[2] AS total_volume
      FROM (SELECT filename, unnest(prices) AS price, unnest(market_caps) AS cap,
              unnest(total_volumes) AS volume
            FROM read_json('${bodies}', filename = true, columns = {
              prices: 'DOUBLE[][]', market_caps: 'DOUBLE[][]', total_volumes: 'DOUBLE[][]'}))`,
  },
}
const { table, paths, sql } = WORKLOADS[workload]!

async function fetchAll(): Promise<void> {
  for (let next = paths.shift(); next !== undefined; next = paths.shift()) {
    const url = `${baseUrl}/v2/${next[1]}`
    const { statusCode, body } = await request(url)
    if (statusCode !== 200) throw new Error(`HTTP ${statusCode}: GET ${url}`)
    writeFileSync(join(folder, `${next[0]}.json`), new Uint8Array(await body.arrayBuffer()))
  }
}

await Promise.all(Array.from({ length: AT_ONCE }, fetchAll))
const instance = await DuckDBInstance.create(file)
const connection = await instance.connect()
await connection.run(`CREATE OR REPLACE TABLE ${table} AS ${sql}`)
const counted = await connection.runAndReadAll(`SELECT count(*) FROM ${table}`)
process.stdout.write(`${String(counted.getRows()[0]?.[0])}\n`)
connection.closeSync()
instance.closeSync()
