import { SinkError } from '../sink-error.ts'
import { randomBytes } from 'node:crypto'
import { crashPoint } from '../../config/crash-point.ts'
import type { TableSpec } from '../../datasets/dataset.ts'
import { newestTablesOf } from '../newest/newest-tables.ts'
import type { PublishRun } from '../publication.ts'
import { MANIFEST, type ManifestFile, newManifest } from '../publish-parquet/manifest.ts'
import type { RefreshedFiles } from '../publish-parquet/refresh-files.ts'
import { readFilesSql, VIEWS_SQL, viewsSql } from '../publish-parquet/views-sql.ts'
import type { S3Files } from '../../stage/s3-files.ts'
import { commitTable, type Committing } from './commit-table.ts'
import type { LoggedState } from './delta-actions.ts'
import { type DeltaManifest, type ReadManifest, retiredNow } from './delta-manifest.ts'

const VIEWS_HEAD = `-- Tables and analyst views over one moment of these Delta tables, for DuckDB; of a bucket with httpfs and a secret for S3.
-- The newest moment is named by ${MANIFEST}.
`

/** The published manifest, and the files of the next one. */
export interface MomentToShow {
  place: string
  tables: readonly TableSpec[]
  warehouse: string
  run: PublishRun
  read: ReadManifest | null
  standing: ReadonlyMap<string, LoggedState>
  refreshed: RefreshedFiles
}

export interface ShownMoment {
  committed: ReadonlySet<string>
  /** null: another publisher was first. */
  manifest: DeltaManifest | null
}

/** The tables that a place may have: the store's, and their newest tables. */
export function publishedTables(tables: readonly TableSpec[]): TableSpec[] {
  return [...tables, ...newestTablesOf(tables).map(({ table }) => table)]
}

/** Shows readers complete files only: those of a table by its log, those of all tables by the manifest. */
export async function showMoment(
  files: S3Files,
  { place, tables, warehouse, run, read, standing, refreshed }: MomentToShow,
  toCheckpoint: Committing['toCheckpoint'],
): Promise<ShownMoment> {
  const before = read?.manifest ?? null
  const version = (before?.version ?? 0) + 1
  const filesOf = Map.groupBy(refreshed.files, ({ table }) => table)
  const committed = new Set<string>()
  const shown: DeltaManifest['tables'] = {}
  const viewsPath = `versions/${version}-${randomBytes(4).toString('hex')}/${VIEWS_SQL}`
  const removed = new Set(before === null ? [] : [before.views_sql])
  refuseForeign(standing, before, publishedTables(tables))
  for (const table of publishedTables(tables)) {
    const { name } = table
    const one = { table, files: filesOf.get(name) ?? [], standing: standing.get(name) }
    if (one.files.length === 0 && one.standing === undefined) continue
    const retired = before?.retired ?? []
    const made = await commitTable(
      { ...one, logged: before?.tables[name] },
      { files, warehouse, run, retired, toCheckpoint },
    )
    if (made === null) return { committed, manifest: null }
    shown[name] = made.logged
    if (made.isNew) committed.add(name)
    // Readers may know a commit without a manifest, of a killed or overtaken publisher.
    for (const path of [...made.removed, ...(one.standing?.removed ?? [])]) removed.add(path)
  }
  // No log removes the files of an older coinlake, or those of a publisher that was killed before the manifest.
  const newPaths = new Set(refreshed.files.map(({ path }) => path))
  for (const path of newPaths) removed.delete(path)
  for (const { path, table } of before?.files ?? []) {
    if (!newPaths.has(path) && (path.startsWith('versions/') || table in shown)) removed.add(path)
  }
  await files.write(viewsPath, viewsOf(place, tables, filesOf))
  const manifest: DeltaManifest = {
    ...newManifest(run, refreshed),
    version,
    warehouse,
    tables: shown,
    views_sql: viewsPath,
    // Objects of another warehouse stay a while for their readers, too.
    retired: retiredNow(before, { version, nowMs: run.publishedAtMs }, removed),
  }
  crashPoint('publish.manifest.before')
  const text = `${JSON.stringify(manifest, null, 1)}\n`
  if (!(await files.replace(MANIFEST, text, read?.mark ?? null))) {
    await files.remove([viewsPath])
    return { committed, manifest: null }
  }
  crashPoint('publish.manifest.after')
  return { committed, manifest }
}

/** Throws, before any commit, for a table that belongs to another program: without a manifest, with foreign files. */
function refuseForeign(
  standing: MomentToShow['standing'],
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

function viewsOf(
  place: string,
  tables: readonly TableSpec[],
  filesOf: ReadonlyMap<string, readonly ManifestFile[]>,
): string {
  return viewsSql(VIEWS_HEAD, tables, ({ name }) => {
    const own = filesOf.get(name)
    return own === undefined ? null : readFilesSql(place, own)
  })
}
