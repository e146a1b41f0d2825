import { DuckDBTimestampTZValue } from '@duckdb/node-api'
import type { DuckDBConnection, DuckDBMaterializedResult, DuckDBValue } from '@duckdb/node-api'
import type { Row } from '../../datasets/dataset.ts'
import { inTransaction } from '../in-transaction.ts'
import { asSinkError, STORE_DAMAGE } from './as-sink-error.ts'
import { withMoreMemory } from './more-memory.ts'
import type { StoreAccess } from './opening/store-access.ts'

export type SqlParams = Record<string, DuckDBValue>

/** Statements on one connection of the store. @throws SinkError from every method */
export interface Session {
  readonly connection: DuckDBConnection
  /**
   * All rows. 64-bit integers come as numbers. Ask for times as `epoch_ms(...)`. The caller names the type of a row,
   * whose properties are the columns of the SELECT.
   */
  rows: <T = Row>(sql: string, params?: SqlParams) => Promise<T[]>
  /** Runs a statement, or without `params` several with `;` between them. @returns how many rows the last one changed */
  run(sql: string, params?: SqlParams): Promise<number>
  close(): void
}

/** A session that writes. While its transaction is open, nobody else writes to the store. */
export interface WriteSession extends Session {
  /** Commits all changes of `work` or none. `work` may run twice. `doing` completes "cannot ... FILE" in an error. */
  transaction<T>(doing: string, work: () => Promise<T>): Promise<T>
}

export function instant(epochMs: number): DuckDBTimestampTZValue {
  return new DuckDBTimestampTZValue(BigInt(epochMs) * 1000n)
}

/** A session on `connection`. Errors name `file`; for a damaged file they have the code and hint of `damage`. */
export function openSession(
  connection: DuckDBConnection,
  file: string,
  damage = STORE_DAMAGE,
): Session {
  return {
    connection,
    async rows<T>(sql: string, params?: SqlParams) {
      try {
        return rowsOf(await execute(connection, sql, params)) as T[]
      } catch (error) {
        throw asSinkError(error, 'read', file, damage)
      }
    },
    async run(sql, params) {
      try {
        return (await execute(connection, sql, params)).rowsChanged
      } catch (error) {
        throw asSinkError(error, 'write', file, damage)
      }
    },
    close() {
      connection.closeSync()
    },
  }
}

export function openWriteSession(
  connection: DuckDBConnection,
  access: Pick<StoreAccess, 'name' | 'alone'>,
): WriteSession {
  const file = access.name
  const session = openSession(connection, file)
  return {
    ...session,
    async transaction(doing, work) {
      return await access.alone((confirm) =>
        withMoreMemory(connection, async () => {
          try {
            return await inTransaction(connection, async () => {
              const result = await work()
              await confirm()
              return result
            })
          } catch (error) {
            throw asSinkError(error, doing, file)
          }
        }),
      )
    },
  }
}

/**
 * Executes SQL in as few steps as the engine allows, because each may wait while the thread parses an answer of the
 * source. A statement with parameters is prepared and run; others are one call.
 */
async function execute(
  connection: DuckDBConnection,
  sql: string,
  params?: SqlParams,
): Promise<DuckDBMaterializedResult> {
  if (params === undefined) return await connection.run(sql)
  const prepared = await connection.prepare(sql)
  try {
    prepared.bind(bound(params))
    return await prepared.run()
  } finally {
    prepared.destroySync()
  }
}

/** Passes whole numbers as BIGINT. The driver would choose DOUBLE, which fits neither LIMIT nor IN. */
function bound(params: SqlParams): SqlParams {
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) => [
      name,
      typeof value === 'number' && Number.isInteger(value) ? BigInt(value) : value,
    ]),
  )
}

function rowsOf(result: DuckDBMaterializedResult): Row[] {
  const names = result.deduplicatedColumnNames()
  const chunks = Array.from({ length: result.chunkCount }, (_, place) => result.getChunk(place))
  return chunks.flatMap((chunk) => chunk.getRowObjects(names).map(plainRow))
}

function plainRow(row: Record<string, DuckDBValue>): Row {
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, plain(value)]))
}

function plain(value: DuckDBValue): Row[string] {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value
  if (typeof value === 'bigint' || typeof value === 'number') return Number(value)
  return String(value)
}
