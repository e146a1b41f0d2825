import { DuckDBInstance } from '@duckdb/node-api'

/** A process that holds a DuckDB file open until its stdin ends, as a reader of the store would. */
const instance = await DuckDBInstance.create(process.argv[2] ?? '')
process.stdout.write('open\n')
for await (const _ of process.stdin);
instance.closeSync()
