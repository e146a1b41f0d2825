import { StatementType } from '@duckdb/node-api'
import type {
  DuckDBConnection,
  DuckDBExtractedStatements,
  DuckDBPreparedStatement,
} from '@duckdb/node-api'
import { QueryError, queryError } from './query-error.ts'
import { firstWordAt, splitStatements } from './split-statements.ts'

/**
 * Kinds of statements that run, as DuckDB's own parser tells them. Those that change something can change
 * what is the session's own: all else is read-only.
 */
const READING: ReadonlySet<StatementType> = new Set([
  StatementType.SELECT,
  StatementType.SET,
  StatementType.VARIABLE_SET,
  StatementType.CREATE,
  StatementType.CREATE_FUNC,
  StatementType.DROP,
  StatementType.ALTER,
  StatementType.INSERT,
  StatementType.UPDATE,
  StatementType.DELETE,
  StatementType.MERGE_INTO,
])

/**
 * `EXPLAIN` with what it may be told, and the statement that it explains. No comment may stand before or
 * between: a comment that DuckDB ends elsewhere than this expression would hide a statement.
 */
const EXPLAIN =
  /^\s*EXPLAIN(?:\s*\(\s*(?:(?:ANALYZE|FORMAT\s+\w+)\s*(?:,\s*|(?=\))))+\)|\s+ANALYZE\b)?(.*)$/is
const LOGGING = /"name": "ENABLE_(?:LOGGING|PROFILING)\b/
const FIRST_WORDS = /^\w+(?:\s+\w+)?/

/**
 * Runs all statements of a script but the last, and gives that, ready to run. Each is looked at before it
 * is run, and exactly what was looked at is run. An instance that service/lock-reading.ts has locked can
 * still write to the few paths that it may read; so what is no reading of rows is refused: COPY, EXPORT,
 * ATTACH, LOAD, secrets, prepared statements, transactions.
 *
 * @throws QueryError SQL_ERROR, SQL_READS_ONLY, SQL_OUTSIDE, SQL_SETTING
 */
export async function runToLast(
  connection: DuckDBConnection,
  sql: string,
): Promise<DuckDBPreparedStatement> {
  // As a whole first: mistakes are shown at their line of the script.
  await extract(connection, sql)
  let last: DuckDBPreparedStatement | null = null
  try {
    for (const part of splitStatements(sql)) {
      await last?.run()
      const statements = await checkedKinds(connection, part)
      for (let index = 0; index < statements.count; index++) {
        if (index > 0) await last?.run()
        last?.destroySync()
        last = await statements.prepare(index)
        const { statementType: kind } = last
        if (!READING.has(kind) && kind !== StatementType.EXPLAIN) throw refused(part)
        if (index === 0) await requireQuietPlan(connection, part)
      }
    }
  } catch (error) {
    last?.destroySync()
    throw queryError(error)
  }
  if (last === null) throw new QueryError('there is no SQL to run', NO_SQL)
  return last
}

const NO_SQL = {
  code: 'NO_SQL',
  hint: 'Write it in quotes: coinlake query "from daily_prices limit 10".',
}

/**
 * The statements that a part of a script is (a PIVOT is two). What DuckDB cannot explain reads no rows;
 * that is told by its parser alone, since to prepare an EXPORT already makes its folder.
 */
async function checkedKinds(
  connection: DuckDBConnection,
  part: string,
): Promise<DuckDBExtractedStatements> {
  const explained = EXPLAIN.exec(part)?.[1]
  if (explained !== undefined) {
    await requireSelect(connection, explained, part)
    return await extract(connection, part)
  }
  const statements = await extract(connection, part)
  await connection.extractStatements(`EXPLAIN ${part}`).catch(() => {
    throw refused(part)
  })
  return statements
}

/** EXPLAIN ANALYZE runs what it explains. */
async function requireSelect(
  connection: DuckDBConnection,
  sql: string,
  part: string,
): Promise<void> {
  const statements = await checkedKinds(connection, sql)
  for (let index = 0; index < statements.count; index++) {
    const statement = await statements.prepare(index)
    const isSelect = statement.statementType === StatementType.SELECT
    statement.destroySync()
    if (!isSelect) throw refused(part)
  }
}

/**
 * Functions that make the session write what it does into a file, past DuckDB's locks: they are looked for
 * among the operators of the plan, where views, macros and query() are resolved and no text is.
 */
async function requireQuietPlan(connection: DuckDBConnection, part: string): Promise<void> {
  const explained = EXPLAIN.exec(part)?.[1] ?? part
  const reader = await connection.runAndReadAll(`EXPLAIN (FORMAT json) ${explained}`)
  if (LOGGING.test(reader.getRows().flat().join('\n'))) throw refused(part)
}

async function extract(
  connection: DuckDBConnection,
  sql: string,
): Promise<DuckDBExtractedStatements> {
  return await connection.extractStatements(sql).catch((error: unknown) => {
    throw queryError(error)
  })
}

function refused(part: string): QueryError {
  const words = FIRST_WORDS.exec(part.slice(firstWordAt(part)))?.[0].toUpperCase() ?? 'a statement'
  return new QueryError(`\`coinlake query\` only reads: ${words} ... is refused`, {
    code: 'SQL_READS_ONLY',
    hint: 'Save what a query gives with -o FILE, name another warehouse with --warehouse, and read files of your own with --allow-dir DIR.',
  })
}
