import type { ColumnType, TableSpec } from '../../datasets/dataset.ts'
import { columnComment, storedColumns } from '../../datasets/table/ddl.ts'
import { fileSchema, type ManifestFile } from '../publish-parquet/manifest.ts'
import { definitionHash } from '../publish/definition-hash.ts'
import { SinkError } from '../sink-error.ts'

/** Files and log entries of a version stay this long after the next version, so that its readers can finish. */
const KEPT_MS = 86_400_000

/** Whether the retention time has passed. @param at ISO time */
export function isExpired(at: string, nowMs: number): boolean {
  return Date.parse(at) <= nowMs - KEPT_MS
}

const RETENTION = 'interval 1 days'
/** A reader reads at most this many commits after a checkpoint. */
export const CHECKPOINT_EVERY = 50

const DELTA_TYPES: Readonly<Record<ColumnType, string>> = {
  string: 'string',
  double: 'double',
  integer: 'long',
  boolean: 'boolean',
  timestamp: 'timestamp',
  date: 'date',
  json: 'string',
}

/** An entry of a table's log (https://github.com/delta-io/delta/blob/master/PROTOCOL.md). */
export type DeltaAction = Readonly<Record<string, object>>

export interface LoggedState {
  /** -1: the table has no version yet. */
  version: number
  /** The version's files by path, relative to the published place. null: coinlake did not write the file. */
  live: Map<string, ManifestFile | null>
  /** Files removed by commits that no manifest has recorded. */
  removed: Set<string>
  /** Whether one of these commits has set the columns. */
  isRedefined: boolean
}

/** The oldest protocol. Every reader knows it. */
const OLDEST = { minReaderVersion: 1, minWriterVersion: 2 }
export const PROTOCOL: DeltaAction = { protocol: OLDEST }

function isOldest({ minReaderVersion, minWriterVersion }: typeof OLDEST): boolean {
  return minReaderVersion <= OLDEST.minReaderVersion && minWriterVersion <= OLDEST.minWriterVersion
}

export function foreignLogError(table: string, why: string): SinkError {
  return new SinkError(why, {
    code: 'PUBLISH_TARGET_FOREIGN',
    hint: `If coinlake began that table, remove ${table}/_delta_log there: the next publication begins it anew, and nothing that was loaded is lost. Else name another prefix with \`parquet.at\`.`,
  })
}

/** Columns with their comments, and the retention times. @param warehouse makes the ids of equal table names differ */
export function metaDataAction(table: TableSpec, warehouse: string, nowMs: number): DeltaAction {
  const fields = storedColumns(table).map((column) => ({
    name: column.name,
    type: DELTA_TYPES[column.type],
    nullable: true,
    metadata: { comment: columnComment(column) },
  }))
  const hex = definitionHash(warehouse, table.name) + definitionHash(table.name, warehouse)
  return {
    metaData: {
      id: hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5'),
      name: table.name,
      description: table.description,
      format: { provider: 'parquet', options: {} },
      schemaString: JSON.stringify({ type: 'struct', fields }),
      partitionColumns: [],
      configuration: {
        'delta.checkpointInterval': `${CHECKPOINT_EVERY}`,
        'delta.deletedFileRetentionDuration': RETENTION,
        'delta.logRetentionDuration': RETENTION,
      },
      createdTime: nowMs,
    },
  }
}

/** Adds a file to the table, with its manifest entry for the next publisher. */
export function addAction(
  table: TableSpec,
  file: ManifestFile,
  { nowMs, dataChange = true }: { nowMs: number; dataChange?: boolean },
): DeltaAction {
  return {
    add: {
      path: file.path.slice(table.name.length + 1),
      partitionValues: {},
      size: file.size_bytes,
      modificationTime: nowMs,
      dataChange,
      stats: JSON.stringify(statsOf(table, file)),
      tags: { coinlake: JSON.stringify(file) },
    },
  }
}

/** Removes a file from the table. @param path relative to the published place */
export function removeAction(
  table: TableSpec,
  path: string,
  { atMs, dataChange = true }: { atMs: number; dataChange?: boolean },
): DeltaAction {
  return {
    remove: { path: path.slice(table.name.length + 1), deletionTimestamp: atMs, dataChange },
  }
}

/** The facts by which a reader skips a file: its number of rows, and bounds of the sort columns. */
function statsOf(table: TableSpec, { rows, min, max }: ManifestFile): object {
  const sorted = storedColumns(table).filter(({ name }) => table.sort.includes(name))
  const side = (bounds: ManifestFile['min'], roundUpMs: number): object =>
    Object.fromEntries(
      sorted.flatMap(({ name, type }) => {
        const text = bounds[name] ?? null
        if (text === null || !['string', 'timestamp', 'date'].includes(type)) return []
        // Manifest and Delta cut times to milliseconds, so the largest may be 1 ms later.
        return [[name, type === 'timestamp' ? laterBy(text, roundUpMs) : text]]
      }),
    )
  const known = sorted.filter(({ nullable }) => nullable === false)
  return {
    numRecords: rows,
    minValues: side(min, 0),
    maxValues: side(max, 1),
    nullCount: Object.fromEntries(known.map(({ name }) => [name, 0])),
  }
}

function laterBy(isoTime: string, ms: number): string {
  return new Date(Date.parse(isoTime) + ms).toISOString()
}

/**
 * Applies the lines of a commit or a checkpoint to the version before.
 *
 * @throws SinkError PUBLISH_TARGET_FOREIGN when another program has raised the protocol
 */
export function applyActions(state: LoggedState, table: string, lines: string): void {
  for (const line of lines.split('\n').filter((text) => text.trim() !== '')) {
    const { add, remove, metaData, protocol } = JSON.parse(line) as {
      add?: { path: string; tags?: Record<string, string> | null } | null
      remove?: { path: string } | null
      metaData?: object | null
      protocol?: typeof OLDEST | null
    }
    if (protocol && !isOldest(protocol)) {
      const { minReaderVersion: reader, minWriterVersion: writer } = protocol
      throw foreignLogError(
        table,
        `another program has raised the protocol of the Delta table ${table} to reader ${reader} and writer ${writer}`,
      )
    }
    if (metaData) state.isRedefined = true
    // Paths stay as written. coinlake's names need no escapes, and other names go back unchanged.
    const pathOf = (path: string): string => `${table}/${path}`
    if (remove) {
      state.live.delete(pathOf(remove.path))
      state.removed.add(pathOf(remove.path))
    }
    if (add) state.live.set(pathOf(add.path), ownFile(pathOf(add.path), add.tags?.['coinlake']))
  }
}

function ownFile(path: string, tag: string | undefined): ManifestFile | null {
  if (tag === undefined) return null
  try {
    const parsed = fileSchema.safeParse(JSON.parse(tag))
    return parsed.success && parsed.data.path === path ? parsed.data : null
  } catch {
    return null
  }
}
