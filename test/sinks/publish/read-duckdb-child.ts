// Reads tables of a DuckDB file in a process of its own, as an analyst's tool would. With a fourth
// argument it opens the file first, says "open" and reads when its standard input ends.
import { DuckDBInstance } from '@duckdb/node-api'
import { exactText } from './sample-store.ts'

const [file, sql, wait] = process.argv.slice(2) as [string, string, string?]
const instance = await DuckDBInstance.create(file, { access_mode: 'READ_ONLY' })
const connection = await instance.connect()
if (wait !== undefined) {
  process.stdout.write('open\n')
  await new Promise((resolve) => process.stdin.resume().once('end', resolve))
}
const reader = await connection.runAndReadAll(sql)
for (const row of reader.getRows()) console.log(JSON.stringify(row.map(exactText)))
