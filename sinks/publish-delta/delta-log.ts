import type { ObjectFiles } from '../../stage/s3-files.ts'
import { linesOfCheckpoint } from './delta-checkpoint.ts'
import { applyActions, foreignLogError, type LoggedState } from './delta-actions.ts'
import type { DeltaManifest } from './delta-manifest.ts'

const LOG_ENTRY = /^(\w+)\/_delta_log\/(\d{20})\.(json|checkpoint\.parquet)$/

export function logOf(table: string, listed: Iterable<string>): string[] {
  return [...listed].filter((name) => name.startsWith(`${table}/_delta_log/`))
}

export function commitPath(table: string, version: number): string {
  return `${table}/_delta_log/${String(version).padStart(20, '0')}.json`
}

export function checkpointPath(table: string, version: number): string {
  return commitPath(table, version).replace(/json$/, 'checkpoint.parquet')
}

export function entriesBefore(table: string, version: number, listed: readonly string[]): string[] {
  return listed.filter((name) => {
    const [, own, number] = LOG_ENTRY.exec(name) ?? []
    return own === table && Number(number) < version
  })
}

/**
 * The newest version of each table of a place. The manifest names most. A log is read when a publisher was killed before
 * it wrote the manifest, or another program wrote to the table. Call this before the store is read. Otherwise a later
 * version of a table might show an older moment.
 *
 * @param names of the tables that are published there
 */
export async function standingTables(
  files: ObjectFiles,
  listed: ReadonlyMap<string, number>,
  manifest: DeltaManifest | null,
  names: ReadonlySet<string>,
  scratchDir: string,
): Promise<Map<string, LoggedState>> {
  const entries = [...listed.keys()].flatMap((name) => {
    const [, table = '', version, kind] = LOG_ENTRY.exec(name) ?? []
    // Tables with other names belong to other programs.
    return names.has(table) ? [{ table, version: Number(version), isCommit: kind === 'json' }] : []
  })

  async function read(table: string, name: string): Promise<Buffer> {
    const content = await files.read(name)
    if (content !== null) return content
    throw foreignLogError(table, `${name} is missing: the log of ${table} is not whole`)
  }

  /** @param checkpoint the newest version with a checkpoint; -1: none */
  async function baseOf(table: string, head: number, checkpoint: number): Promise<LoggedState> {
    const entry = manifest?.tables[table]
    const nothingElse = { removed: new Set<string>(), isRedefined: false }
    if (entry !== undefined && entry.version <= head) {
      const own = manifest?.files.filter((file) => file.table === table) ?? []
      const live = new Map(own.map((file) => [file.path, file]))
      return { ...nothingElse, version: entry.version, live }
    }
    const state: LoggedState = { ...nothingElse, version: checkpoint, live: new Map() }
    if (checkpoint >= 0) {
      const content = await read(table, checkpointPath(table, checkpoint))
      applyActions(state, table, await linesOfCheckpoint(scratchDir, content))
    }
    return state
  }

  const standing = new Map<string, LoggedState>()
  for (const [table, own] of Map.groupBy(entries, (entry) => entry.table)) {
    const newest = (isCommit: boolean): number =>
      Math.max(-1, ...own.flatMap((one) => (one.isCommit === isCommit ? [one.version] : [])))
    const head = newest(true)
    if (head < 0) continue
    const found = await baseOf(table, head, newest(false))
    while (found.version < head) {
      found.version += 1
      const content = await read(table, commitPath(table, found.version))
      applyActions(found, table, content.toString('utf8'))
    }
    standing.set(table, found)
  }
  return standing
}
