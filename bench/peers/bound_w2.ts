import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { request } from 'undici'

// What the machine can do: every body fetched, four at once, and kept as it came; then DuckDB parses and
// loads them all in one statement. Nothing is checked, recorded or resumed. Arguments: base URL, coins, database file.

const AT_ONCE = 4
const FROM_S = 1_704_067_200
const TO_S = FROM_S + 90 * 86_400

const [baseUrl = '', coinCount = '0', file = ''] = process.argv.slice(2)
const folder = `${file}.bodies`
mkdirSync(folder, { recursive: true })
const left = Array.from({ length: Number(coinCount) }, (_, coin) => `coin-${coin}`)

async function fetchAll(): Promise<void> {
  for (let coin = left.pop(); coin !== undefined; coin = left.pop()) {
    const query = `vs_currency=usd&from=${FROM_S}&to=${TO_S}`
    const url = `${baseUrl}/v2/coins/${coin}/market_chart/range?${query}`
    const { statusCode, body } = await request(url)
    if (statusCode !== 200) throw new Error(`HTTP ${statusCode}: GET ${url}`)
    writeFileSync(join(folder, `${coin}.json`), new Uint8Array(await body.arrayBuffer()))
  }
}

await Promise.all(Array.from({ length: AT_ONCE }, fetchAll))
const instance = await DuckDBInstance.create(file)
const connection = await instance.connect()
await connection.run(
  `CREATE OR REPLACE TABLE market_chart AS
   SELECT parse_filename(filename, true) AS coin_id, make_timestamptz(price[1]::BIGINT * 1000) AS ts,
     price[2] AS price, cap[2] AS market_cap, volume[2] AS total_volume
   FROM (SELECT filename, unnest(prices) AS price, unnest(market_caps) AS cap,
           unnest(total_volumes) AS volume
         FROM read_json('${join(folder, '*.json')}', filename = true, columns = {
           prices: 'DOUBLE[][]', market_caps: 'DOUBLE[][]', total_volumes: 'DOUBLE[][]'}))`,
)
const counted = await connection.runAndReadAll('SELECT count(*) FROM market_chart')
process.stdout.write(`${String(counted.getRows()[0]?.[0])}\n`)
connection.closeSync()
instance.closeSync()
