import { randomBytes } from 'node:crypto'
import { crashPoint } from '../../config/crash-point.ts'
import type { TableSpec } from '../../datasets/dataset.ts'
import { storedColumns } from '../../datasets/table/ddl.ts'
import type { ObjectFiles } from '../../stage/s3-files.ts'
import type { PublishRun } from '../publication.ts'
import type { ManifestFile } from '../publish-parquet/manifest.ts'
import { definitionHash } from '../publish/definition-hash.ts'
import { checkpointOf } from './delta-checkpoint.ts'
import {
  addAction,
  CHECKPOINT_EVERY,
  type DeltaAction,
  isExpired,
  type LoggedState,
  metaDataAction,
  PROTOCOL,
  removeAction,
} from './delta-actions.ts'
import { checkpointPath, commitPath } from './delta-log.ts'
import type { DeltaManifest, LoggedTable } from './delta-manifest.ts'

/** The place of Delta tables, and the warehouse that publishes there. */
export interface DeltaTarget {
  /** `s3://bucket/prefix`, or an absolute folder. */
  place: string
  files: ObjectFiles
  tables: readonly TableSpec[]
  /** Name of the warehouse. Tables of another warehouse are written again. */
  warehouse: string
  /** Absolute folder for temporary files of this process. The publication empties it. */
  scratchDir: string
}

export interface TableToCommit {
  table: TableSpec
  wanted: readonly ManifestFile[]
  /** Its present version; undefined: before the first. */
  standing: LoggedState | undefined
}

/** A table with its next version, or with its present one. */
export interface CommittedTable {
  logged: LoggedTable
  isNew: boolean
  /** Paths of the version before that this one does not have. */
  removed: string[]
}

/** Makes a table consist of exactly the wanted files, by one log entry. @returns null: another publisher was first */
export async function commitTable(
  { files, warehouse, scratchDir }: DeltaTarget,
  run: PublishRun,
  before: DeltaManifest | null,
  { table, wanted, standing }: TableToCommit,
): Promise<CommittedTable | null> {
  const nowMs = run.publishedAtMs
  const logged = before?.tables[table.name]
  // A log that another program removed or began anew does not match the manifest's entry.
  const entry = logged !== undefined && logged.version <= (standing?.version ?? -1) ? logged : null
  const live = standing?.live ?? new Map<string, ManifestFile | null>()
  const wantedPaths = new Set(wanted.map(({ path }) => path))
  const removed = [...live.keys()].filter((path) => !wantedPaths.has(path))
  const added = wanted.filter(({ path }) => !live.has(path))
  const metaData = metaDataAction(table, warehouse, nowMs)
  const definition = definitionHash(warehouse, table, storedColumns(table))
  const isSameDefinition = entry?.definition === definition && standing?.isRedefined !== true
  const isNew = removed.length + added.length > 0 || !isSameDefinition
  const version = (standing?.version ?? -1) + (isNew ? 1 : 0)
  if (isNew) {
    const actions: DeltaAction[] = [
      commitInfo(run),
      ...(version === 0 ? [PROTOCOL] : []),
      ...(isSameDefinition ? [] : [metaData]),
      ...removed.map((path) => removeAction(table, path, { atMs: nowMs })),
      ...added.map((file) => addAction(table, file, { nowMs })),
    ]
    const lines = actions.map((action) => `${JSON.stringify(action)}\n`).join('')
    crashPoint('publish.manifest.before')
    if (!(await files.replace(commitPath(table.name, version), lines, null))) return null
    crashPoint('publish.manifest.after')
  }
  const checkpoints = [...(entry?.checkpoints ?? [])]
  if (version - (checkpoints.at(-1)?.version ?? 0) >= CHECKPOINT_EVERY) {
    // Programs that clean up by the log need removed objects in checkpoints.
    const retired = before?.retired ?? []
    const own = retired.filter(({ path }) => path.startsWith(`${table.name}/`))
    const allRemoved = new Set([...removed, ...(standing?.removed ?? [])])
    const gone = [...allRemoved].filter((path) => !wantedPaths.has(path))
    const now = new Date(nowMs).toISOString()
    const actions = [
      PROTOCOL,
      metaData,
      ...[...own, ...gone.map((path) => ({ path, at: now }))].map(({ path, at = now }) =>
        removeAction(table, path, { atMs: Date.parse(at), dataChange: false }),
      ),
      ...wanted.map((file) => addAction(table, file, { nowMs, dataChange: false })),
    ]
    await files.write(checkpointPath(table.name, version), await checkpointOf(scratchDir, actions))
    const last = JSON.stringify({ version, size: actions.length })
    await files.write(`${table.name}/_delta_log/_last_checkpoint`, last)
    checkpoints.push({ version, at: now })
  }
  const oldest = checkpoints.findLastIndex(({ at }) => isExpired(at, nowMs))
  return {
    logged: { version, definition, checkpoints: checkpoints.slice(Math.max(0, oldest)) },
    isNew,
    removed,
  }
}

/** The random part tells equal commits of two publishers apart. */
function commitInfo({ runId, publishedAtMs, coinlakeVersion }: PublishRun): DeltaAction {
  return {
    commitInfo: {
      timestamp: publishedAtMs,
      operation: 'WRITE',
      operationParameters: { mode: 'Overwrite' },
      engineInfo: `coinlake/${coinlakeVersion}`,
      txnId: randomBytes(16).toString('hex'),
      userMetadata: runId,
    },
  }
}
