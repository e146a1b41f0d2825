import { CoinlakeError, EXIT, type ErrorFacts, type ExitCode } from '../../config/coinlake-error.ts'
import {
  asSinkError,
  DAMAGE_MESSAGE,
  PUBLICATION_DAMAGE,
} from '../../sinks/duckdb-store/as-sink-error.ts'
import { CHANGEABLE_SETTINGS } from '../../service/warehouse/lock-to-reading.ts'

/** A query that cannot be run or written. Exit code 2; 6 while another program holds the file, 130 when interrupted. */
export class QueryError extends CoinlakeError {
  override readonly exitCode: ExitCode

  constructor(message: string, facts: ErrorFacts, exitCode: ExitCode = EXIT.config) {
    super(message, facts)
    this.exitCode = exitCode
  }
}

/** An error of DuckDB as ours. DuckDB's message points at the place in the SQL. */
export function queryError(error: unknown): CoinlakeError {
  if (error instanceof CoinlakeError) return error
  const message = error instanceof Error ? error.message : String(error)
  const text = message.replace(/^Failed to extract statements: /, '')
  if (text.startsWith('INTERRUPT')) return interruptedError(error)
  const fault = asSinkError(error, 'read', 'the bucket')
  if (/^(?:IO|HTTP) Error/.test(text) && fault.code.startsWith('STORE_S3_')) return fault
  return new QueryError(text, { ...factsOf(text), cause: error })
}

function factsOf(text: string): ErrorFacts {
  if (text.includes('disabled by configuration') || text.includes('through configuration')) {
    return {
      code: 'SQL_OUTSIDE',
      hint: 'A query reads only the publication. Name a folder of your own files with --allow-dir DIR; save a result with -o FILE.',
    }
  }
  if (text.includes('the configuration has been locked')) {
    return {
      code: 'SQL_SETTING',
      hint: `SET may change ${CHANGEABLE_SETTINGS.join(', ')}; SET VARIABLE is for values of your own.`,
    }
  }
  if (DAMAGE_MESSAGE.test(text)) return PUBLICATION_DAMAGE
  return {
    code: 'SQL_ERROR',
    hint: 'It is the SQL of DuckDB, without extensions. `coinlake tables` lists the tables, and `DESCRIBE name` the columns of one.',
  }
}

export function interruptedError(cause: unknown): QueryError {
  const facts = { code: 'QUERY_INTERRUPTED', hint: 'Nothing was changed.', cause }
  return new QueryError('the query was interrupted', facts, EXIT.interrupted)
}
