import type { DuckDBConnection } from '@duckdb/node-api'
import pLimit, { type LimitFunction } from 'p-limit'
import { withMoreMemory } from '../duckdb-store/more-memory.ts'
import type { Publication, PublishOutcome, PublishRun } from '../publication.ts'
import { publishError } from './publish-error.ts'

const turnsByConnection = new WeakMap<DuckDBConnection, LimitFunction>()

/**
 * A publication that waits for others on its connection. A connection has one transaction, and a retry may start
 * while a given-up publisher still works. Every error becomes a SinkError that names `target`.
 */
export function publishInTurn(
  name: Publication['name'],
  connection: DuckDBConnection,
  target: string,
  publish: (run: PublishRun) => Promise<PublishOutcome>,
): Publication {
  const inTurn = turnsByConnection.get(connection) ?? pLimit(1)
  turnsByConnection.set(connection, inTurn)
  return {
    name,
    async publish(run) {
      try {
        return await inTurn(async () => {
          const startedMs = performance.now()
          const outcome = await withMoreMemory(connection, () => publish(run))
          const durationMs = Math.round(performance.now() - startedMs)
          return { publication: name, path: target, ...outcome, durationMs }
        })
      } catch (error) {
        throw publishError(error, target)
      }
    },
  }
}
