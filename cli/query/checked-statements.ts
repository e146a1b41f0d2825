import { StatementType } from '@duckdb/node-api'
import type {
  DuckDBConnection,
  DuckDBExtractedStatements,
  DuckDBPreparedStatement,
} from '@duckdb/node-api'
import { QueryError, queryError } from './query-error.ts'
import { firstWordAt, splitStatements } from './split-statements.ts'

/** Kinds of statements that may run, as DuckDB's parser names them. Changes reach only tables of the session. */
const ALLOWED: ReadonlySet<StatementType> = new Set([
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
 * `EXPLAIN` with its options, and the statement that it explains. The pattern allows no comment between
 * them: where DuckDB ends it elsewhere than we do, a statement would stay unchecked.
 */
const EXPLAIN_PATTERN =
  /^\s*EXPLAIN(?:\s*\(\s*(?:(?:ANALYZE|FORMAT\s+\w+)\s*(?:,\s*|(?=\))))+\)|\s+ANALYZE\b)?(.*)$/is
/** Table functions that write files past DuckDB's locks, or run SQL that no plan shows. */
const WRITING_PATTERN = /"name": "(?:ENABLE_LOGGING|ENABLE_PROFILING|JSON_EXECUTE_SERIALIZED_SQL)\b/
/** Errors of DuckDB when it prepares a write to a publication, or a PRAGMA. Its parser accepts EXPLAIN of both. */
const NOT_EXPLAINED_PATTERN = /attached in read-only mode|^Binder Error: PRAGMA /
const FIRST_WORDS_PATTERN = /^\w+(?:\s+\w+)?/

interface LastStatement {
  text: string
  prepared: DuckDBPreparedStatement
}

/**
 * Checks and runs all statements of a script but the last, and returns the last, checked. A session that
 * service/warehouse/lock-to-reading.ts has locked can still write to the paths that it may read. So statements that read
 * no rows are refused: COPY, EXPORT, ATTACH, LOAD, secrets, prepared statements, transactions.
 *
 * @throws QueryError SQL_ERROR, SQL_READS_ONLY, SQL_OUTSIDE, SQL_SETTING
 */
export async function runAllButLast(
  connection: DuckDBConnection,
  sql: string,
): Promise<LastStatement> {
  await parse(connection, sql)
  let last: LastStatement | null = null
  try {
    for (const text of splitStatements(sql)) {
      await last?.prepared.run()
      last?.prepared.destroySync()
      const checking = checkedStatement(connection, text)
      const prepared = await checking.catch((error: unknown) => {
        throw error instanceof Error && NOT_EXPLAINED_PATTERN.test(error.message)
          ? refusedError(text)
          : error
      })
      last = { text, prepared }
    }
  } catch (error) {
    last?.prepared.destroySync()
    throw queryError(error)
  }
  if (last === null) throw new QueryError('there is no SQL to run', NO_SQL)
  return last
}

export const NO_SQL = {
  code: 'NO_SQL',
  hint: 'Write it in quotes: coinlake query "from daily_prices limit 10".',
}

/**
 * Parses a script as a whole, so that errors show their line. DuckDB's parser also expands PRAGMAs and IMPORTs; a
 * statement that fails there is refused, without DuckDB's message.
 */
async function parse(connection: DuckDBConnection, sql: string): Promise<void> {
  const fault = await extract(connection, sql).then(() => null, queryError)
  if (fault === null) return
  if (!fault.message.startsWith('Parser Error')) {
    for (const part of splitStatements(sql)) {
      await connection.extractStatements(part).catch(() => {
        throw refusedError(part)
      })
    }
  }
  throw fault
}

/**
 * A part of a script, checked and ready to run. A statement that DuckDB cannot explain reads no rows. Only the parser may
 * find that out, because preparing an EXPORT already makes its folder.
 */
async function checkedStatement(
  connection: DuckDBConnection,
  part: string,
): Promise<DuckDBPreparedStatement> {
  const explained = EXPLAIN_PATTERN.exec(part)?.[1]
  const isExplained = explained !== undefined
  const statements = await extractOne(connection, part)
  // EXPLAIN ANALYZE runs its statement.
  if (isExplained) await requireSelect(connection, explained, part)
  else await requireExplainable(connection, part)
  const statement = await statements.prepare(0)
  try {
    const { statementType: kind } = statement
    if (!ALLOWED.has(kind) && !(isExplained && kind === StatementType.EXPLAIN))
      throw refusedError(part)
    await requireQuietPlan(connection, explained ?? part, part)
    return statement
  } catch (error) {
    statement.destroySync()
    throw error
  }
}

async function requireExplainable(connection: DuckDBConnection, part: string): Promise<void> {
  await connection.extractStatements(`EXPLAIN ${part}`).catch(() => {
    throw refusedError(part)
  })
}

async function requireSelect(
  connection: DuckDBConnection,
  explained: string,
  part: string,
): Promise<void> {
  const statements = await extractOne(connection, explained)
  await requireExplainable(connection, explained)
  const statement = await statements.prepare(0)
  const isSelect = statement.statementType === StatementType.SELECT
  statement.destroySync()
  if (!isSelect) throw refusedError(part)
}

/** Refuses functions that write. The plan shows them, also behind views, macros and query(). */
async function requireQuietPlan(
  connection: DuckDBConnection,
  explained: string,
  part: string,
): Promise<void> {
  const statements = await extractOne(connection, `EXPLAIN (FORMAT json) ${explained}`)
  const statement = await statements.prepare(0)
  try {
    const plan = await statement.runAndReadAll()
    if (WRITING_PATTERN.test(plan.getRows().flat().join('\n'))) throw refusedError(part)
  } finally {
    statement.destroySync()
  }
}

/**
 * A text as one statement. DuckDB's parser counts the statements, so that a wrong cut of ours hides no second one.
 *
 * @throws QueryError SQL_ERROR; SQL_NOT_ONE, also for a PIVOT without IN, which DuckDB makes two of
 */
async function extractOne(
  connection: DuckDBConnection,
  sql: string,
): Promise<DuckDBExtractedStatements> {
  const statements = await extract(connection, sql)
  if (statements.count === 1) return statements
  // An IMPORT has as many statements as its files.
  await requireExplainable(connection, sql)
  throw new QueryError(`DuckDB takes this for ${statements.count} statements: ${sql.trim()}`, {
    code: 'SQL_NOT_ONE',
    hint: 'Name the columns of a PIVOT: `PIVOT t ON c IN (...)`. End all other statements with a semicolon that is no part of a text or comment.',
  })
}

async function extract(
  connection: DuckDBConnection,
  sql: string,
): Promise<DuckDBExtractedStatements> {
  return await connection.extractStatements(sql).catch((error: unknown) => {
    throw queryError(error)
  })
}

function refusedError(part: string): QueryError {
  const words =
    FIRST_WORDS_PATTERN.exec(part.slice(firstWordAt(part)))?.[0].toUpperCase() ?? 'a statement'
  return new QueryError(`\`coinlake query\` only reads: ${words} ... is refused`, {
    code: 'SQL_READS_ONLY',
    hint: 'Save the result of a query with -o FILE, name another warehouse with --warehouse, and read your own files with --allow-dir DIR.',
  })
}
