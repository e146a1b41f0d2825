import { mkdir, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { DuckDBConnection } from '@duckdb/node-api'
import { writeDurably } from '../../config/atomic-file.ts'
import type { TableSpec } from '../../datasets/dataset.ts'
import type { Publication, PublishOutcome, PublishRun } from '../publication.ts'
import { fileSha256, READERS_MODE, writeJsonDurably } from '../publish/durable-files.ts'
import { publishInTurn } from '../publish/publish-in-turn.ts'
import type { VersionPlace } from '../publish/version-link.ts'
import { MANIFEST, newManifest, readManifest } from './manifest.ts'
import { filesReport, refreshFiles } from './refresh-files.ts'
import {
  draftOf,
  isOldTree,
  carryOverFiles,
  pruneVersions,
  showDraft,
  sweepVersions,
} from './tree-versions.ts'
import { treeViewsSql, VIEWS_SQL } from './views-sql.ts'
import { type ParquetVersion, writePartition } from './write-partition.ts'

export interface ParquetPublicationOptions extends VersionPlace {
  /** A connection of the store's own instance. The store must have `_partitions`. */
  connection: DuckDBConnection
  tables: readonly TableSpec[]
  version: ParquetVersion
}

/**
 * Publishes the Parquet tree: one file per table and month. Each version is a folder that never changes, and a
 * symlink moves to it in one step. Only months that a load changed are written. The others are hard links to the
 * version before. A reader that resolves the link once sees one moment over all tables and months.
 */
export function createParquetPublication(options: ParquetPublicationOptions): Publication {
  const { connection, tables, version, ...place } = options
  const draft = draftOf(place.dir)
  const shownPath = (path: string): string => join(place.link, path)

  async function publish(run: PublishRun): Promise<PublishOutcome> {
    const isOld = await isOldTree(place)
    await sweepVersions(place.dir)
    const before = run.isAnew === true ? null : await readManifest(shownPath(MANIFEST))
    const written = new Set<string>()
    const { files, vanished, isChanged, rows } = await refreshFiles(connection, before, {
      tables,
      version,
      async isThere(file) {
        const facts = await stat(shownPath(file.path)).catch(() => null)
        return facts?.size === file.size_bytes
      },
      localCopy: async (file) => {
        const path = shownPath(file.path)
        return (await fileSha256(path)) === file.sha256 ? path : null
      },
      async write(partition, definition) {
        const facts = { dir: draft, version, definition, ...run }
        const file = await writePartition(connection, partition, facts)
        if (file !== null) written.add(file.path)
        return file
      },
    })
    const views = treeViewsSql(tables, files)
    const viewsBefore = await readFile(shownPath(VIEWS_SQL), 'utf8').catch(() => null)
    const changed = isChanged || isOld || views !== viewsBefore
    if (changed) {
      await mkdir(draft, { recursive: true })
      const kept = files.map(({ path }) => path).filter((path) => !written.has(path))
      await carryOverFiles(place.link, draft, kept)
      await writeDurably(join(draft, VIEWS_SQL), views, { mode: READERS_MODE })
      await writeJsonDurably(join(draft, MANIFEST), newManifest(run, { files, vanished }))
      // Pruning comes first: versions must not pile up when showing them fails.
      await pruneVersions(place)
      await showDraft(place)
    }
    return { ...filesReport({ files, rows }), changed }
  }

  return publishInTurn('parquet', connection, place.link, async (run) => {
    try {
      return await publish(run)
    } catch (error) {
      // Removes the half version at once, so that a full disk has room again.
      await rm(draft, { recursive: true, force: true })
      throw error
    }
  })
}
