// Opens a published file for writing, as nobody should, writes, and dies without a checkpoint.
import { DuckDBInstance } from '@duckdb/node-api'

const [file, sql] = process.argv.slice(2) as [string, string]
const connection = await (await DuckDBInstance.create(file)).connect()
await connection.run(sql)
process.kill(process.pid, 'SIGKILL')
