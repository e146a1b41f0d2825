import type { DuckDBConnection } from '@duckdb/node-api'

/** The connection, on which something happens before a publication writes its first file. */
export function beforeCopy(
  connection: DuckDBConnection,
  happens: () => Promise<void>,
): DuckDBConnection {
  let isQuiet = true
  const run: DuckDBConnection['run'] = async (sql, ...rest) => {
    if (isQuiet && sql.startsWith('COPY')) {
      isQuiet = false
      await happens()
    }
    return await connection.run(sql, ...rest)
  }
  return Object.assign(Object.create(connection) as DuckDBConnection, { run })
}
