import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { request } from 'undici'

// What the machine can do: every page fetched, four at once, and kept as it came; then DuckDB parses and
// loads them all in one statement, with the types that it finds by itself. Nothing is checked, recorded or
// resumed. Arguments: base URL, pages, database file.

const AT_ONCE = 4

const [baseUrl = '', pageCount = '0', file = ''] = process.argv.slice(2)
const folder = `${file}.bodies`
mkdirSync(folder, { recursive: true })
// With the empty one that ends the listing.
const left = Array.from({ length: Number(pageCount) + 1 }, (_, index) => index + 1)

async function fetchAll(): Promise<void> {
  for (let page = left.shift(); page !== undefined; page = left.shift()) {
    const url = `${baseUrl}/v2/coins/markets?vs_currency=usd&order=id_asc&per_page=250&page=${page}`
    const { statusCode, body } = await request(url)
    if (statusCode !== 200) throw new Error(`HTTP ${statusCode}: GET ${url}`)
    writeFileSync(join(folder, `${page}.json`), new Uint8Array(await body.arrayBuffer()))
  }
}

await Promise.all(Array.from({ length: AT_ONCE }, fetchAll))
const instance = await DuckDBInstance.create(file)
const connection = await instance.connect()
await connection.run(
  `CREATE OR REPLACE TABLE coin_markets AS
   SELECT * FROM read_json('${join(folder, '*.json')}', format = 'array')`,
)
const counted = await connection.runAndReadAll('SELECT count(*) FROM coin_markets')
process.stdout.write(`${String(counted.getRows()[0]?.[0])}\n`)
connection.closeSync()
instance.closeSync()
