// Reads tables of a DuckDB file in a process of its own, as an analyst's tool would.
import { DuckDBInstance } from '@duckdb/node-api'
import { exactText } from './sample-store.ts'

const [file, sql] = process.argv.slice(2) as [string, string]
const instance = await DuckDBInstance.create(file, { access_mode: 'READ_ONLY' })
const connection = await instance.connect()
const reader = await connection.runAndReadAll(sql)
for (const row of reader.getRows()) console.log(JSON.stringify(row.map(exactText)))
