import { SinkError } from '../sink-error.ts'
import { randomBytes } from 'node:crypto'
import { crashPoint } from '../../config/crash-point.ts'
import type { TableSpec } from '../../datasets/dataset.ts'
import { newestTablesOf } from '../newest/newest-tables.ts'
import type { PublishRun } from '../publication.ts'
import { MANIFEST, newManifest } from '../publish-parquet/manifest.ts'
import type { RefreshedFiles } from '../publish-parquet/refresh-files.ts'
import { readFilesSql, VIEWS_SQL, viewsSql } from '../publish-parquet/views-sql.ts'
import { commitTable, type DeltaTarget } from './commit-table.ts'
import type { LoggedState } from './delta-actions.ts'
import { type DeltaManifest, type MarkedManifest, nextRetired } from './delta-manifest.ts'

const VIEWS_HEAD = `-- For DuckDB: the tables and analyst views of one moment of these Delta tables. A bucket needs httpfs and a secret for S3.
-- views_sql in ${MANIFEST} is the path of the newest moment's script.
`

/** The manifest that is published, and the files of the next one. */
export interface MomentToPublish {
  run: PublishRun
  published: MarkedManifest | null
  standing: ReadonlyMap<string, LoggedState>
  refreshed: RefreshedFiles
}

/** The tables that a place may have: the store's, and their newest tables. */
export function publishableTables(tables: readonly TableSpec[]): TableSpec[] {
  return [...tables, ...newestTablesOf(tables).map(({ table }) => table)]
}

/**
 * Commits each changed table to its log, writes the views, then replaces the manifest. All data files are there.
 *
 * @returns the committed tables, and the manifest; null: another publisher was first
 */
export async function publishMoment(
  target: DeltaTarget,
  { run, published, standing, refreshed }: MomentToPublish,
): Promise<{ committed: ReadonlySet<string>; manifest: DeltaManifest | null }> {
  const { files, place, warehouse } = target
  const tables = publishableTables(target.tables)
  const before = published?.manifest ?? null
  const version = (before?.version ?? 0) + 1
  const filesOf = Map.groupBy(refreshed.files, ({ table }) => table)
  const committed = new Set<string>()
  const shown: DeltaManifest['tables'] = {}
  const viewsPath = `versions/${version}-${randomBytes(4).toString('hex')}/${VIEWS_SQL}`
  const removed = new Set(before === null ? [] : [before.views_sql])
  refuseForeign(standing, before, tables)
  for (const table of tables) {
    const { name } = table
    const one = { table, wanted: filesOf.get(name) ?? [], standing: standing.get(name) }
    if (one.wanted.length === 0 && one.standing === undefined) continue
    const made = await commitTable(target, run, before, one)
    if (made === null) return { committed, manifest: null }
    shown[name] = made.logged
    if (made.isNew) committed.add(name)
    // Readers of the log may be at older commits, so files that an unrecorded commit removed retire, too.
    for (const path of [...made.removed, ...(one.standing?.removed ?? [])]) removed.add(path)
  }
  // No commit above removes files of an older coinlake, or files of a log that was begun anew.
  const newPaths = new Set(refreshed.files.map(({ path }) => path))
  for (const path of newPaths) removed.delete(path)
  for (const { path, table } of before?.files ?? []) {
    if (!newPaths.has(path) && (path.startsWith('versions/') || table in shown)) removed.add(path)
  }
  const readTable = readFilesSql(place, refreshed.files)
  await files.write(viewsPath, viewsSql(VIEWS_HEAD, target.tables, readTable))
  const manifest: DeltaManifest = {
    ...newManifest(run, refreshed),
    version,
    warehouse,
    tables: shown,
    views_sql: viewsPath,
    // Objects of another warehouse stay a while for their readers, too.
    retired: nextRetired(before, { version, nowMs: run.publishedAtMs }, removed),
  }
  crashPoint('publish.manifest.before')
  const text = `${JSON.stringify(manifest, null, 1)}\n`
  if (!(await files.replace(MANIFEST, text, published?.mark ?? null))) {
    await files.remove([viewsPath])
    return { committed, manifest: null }
  }
  crashPoint('publish.manifest.after')
  return { committed, manifest }
}

/** Throws before any commit if the manifest lacks a table, and its log has files that coinlake did not write. */
function refuseForeign(
  standing: MomentToPublish['standing'],
  before: DeltaManifest | null,
  tables: readonly TableSpec[],
): void {
  const foreign = tables.find(({ name }) => {
    const live = standing.get(name)?.live.values() ?? []
    return before?.tables[name] === undefined && [...live].includes(null)
  })
  if (foreign === undefined) return
  throw new SinkError(`the Delta table ${foreign.name} there is not coinlake's`, {
    code: 'PUBLISH_TARGET_FOREIGN',
    hint: 'Name another prefix with `parquet.at`: that table was left as it is.',
  })
}
