import type { DuckDBConnection } from '@duckdb/node-api'

/** Where the tables of a store lie, and how this process gets at them: a DuckDB file, or a DuckLake. */
export interface StorePlace {
  /** The file, or the catalog; for messages, without a secret. */
  readonly name: string
  readonly isLake: boolean
  /** Whether columns of a view can have a comment. */
  readonly hasViewColumnComments: boolean
  /** A new connection on which unqualified names are the store's. Time zone UTC. */
  connect(): Promise<DuckDBConnection>
  /**
   * Runs the work of one writer while no other writes, in this process or elsewhere.
   *
   * @param work calls `confirm` before it commits: it throws when the others are not held off any more
   * @throws whatever `work` throws, and SinkError when the others cannot be held off
   */
  alone<T>(work: (confirm: () => Promise<void>) => Promise<T>): Promise<T>
  /** Called once the tables are there and ours. */
  onMigrated(): Promise<void>
  close(): void
}
