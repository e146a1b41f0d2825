import { randomBytes } from 'node:crypto'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { DuckDBConnection } from '@duckdb/node-api'
import { crashPoint } from '../../config/crash-point.ts'
import type { Publication, PublishOutcome, PublishRun } from '../publication.ts'
import type { ManifestFile } from '../publish-parquet/manifest.ts'
import { filesReport, refreshFiles } from '../publish-parquet/refresh-files.ts'
import { type ParquetVersion, writePartition } from '../publish-parquet/write-partition.ts'
import { fileSha256 } from '../publish/durable-files.ts'
import { publishInTurn } from '../publish/publish-in-turn.ts'
import { SinkUnreachableError } from '../sink-error.ts'
import type { DeltaTarget } from './commit-table.ts'
import { logOf, standingTables } from './delta-log.ts'
import { logFaults } from './log-faults.ts'
import { readDeltaManifest } from './delta-manifest.ts'
import { filesAt } from './folder-files.ts'
import { publishableTables, publishMoment } from './publish-moment.ts'
import { objectSizes, sweepObjects } from './sweep-objects.ts'

/** If others were first in more attempts, something is wrong. */
const MAX_ATTEMPTS = 10

export interface DeltaPublicationOptions extends Omit<DeltaTarget, 'files'> {
  /** A connection of the store's own instance. The store must have `_partitions`. */
  connection: DuckDBConnection
  version: ParquetVersion
}

/**
 * Publishes each table as a Delta Lake table, for readers on other machines and of other makers. Versions share the
 * files that they need. Each new version of a table is one log entry, never replaced. The manifest comes last: it names
 * the versions of one moment and replaces only the manifest that was read. So several workers may publish at once, and
 * the overtaken one tries again.
 */
export function createDeltaPublication(options: DeltaPublicationOptions): Publication {
  const { connection, tables, place, warehouse, version: parquetVersion, scratchDir } = options
  const files = filesAt(place)
  const target: DeltaTarget = { ...options, files }
  const publishable = publishableTables(tables)

  async function publish(run: PublishRun): Promise<PublishOutcome> {
    try {
      for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
        const made = await publishOnce(run)
        if (made !== null) return made
      }
    } finally {
      await rm(scratchDir, { recursive: true, force: true })
    }
    throw new SinkUnreachableError(
      `others published to ${place} first, ${MAX_ATTEMPTS} times in a row`,
      {
        code: 'PUBLISH_OVERTAKEN',
        hint: 'Give each warehouse a prefix of its own with `parquet.at`; nothing that was loaded is lost.',
      },
    )
  }

  /** null: another publisher was first. */
  async function publishOnce(run: PublishRun): Promise<PublishOutcome | null> {
    const published = await readDeltaManifest(place, files)
    const manifest = published?.manifest ?? null
    const sizes = await objectSizes(files)
    const names = new Set(publishable.map(({ name }) => name))
    const standing = await standingTables(files, sizes, manifest, names, scratchDir)
    const isOurs = manifest?.warehouse === warehouse
    if (isOurs && run.isAnew === true) {
      const faults = await logFaults(files, sizes, manifest, scratchDir)
      // Readers of a damaged log see wrong rows, so the table begins a new log.
      for (const table of faults.keys()) {
        await files.remove(logOf(table, sizes.keys()))
        standing.delete(table)
      }
    }
    // Tables that are no longer published stay as they are.
    const found = publishable.flatMap(({ name }) => [...(standing.get(name)?.live.values() ?? [])])
    const before = {
      files: found.filter((file) => file !== null),
      vanished: manifest?.vanished ?? [],
    }
    const isAnew = !isOurs || run.isAnew === true
    const unique = randomBytes(8).toString('hex')
    const written: ManifestFile[] = []
    const refreshed = await refreshFiles(connection, isAnew ? null : before, {
      tables,
      version: parquetVersion,
      isThere: async ({ path, size_bytes: sizeBytes }) => sizes.get(path) === sizeBytes,
      localCopy,
      async write(partition, definition) {
        const facts = { dir: scratchDir, version: parquetVersion }
        const file = await writePartition(connection, partition, { ...facts, definition, ...run })
        if (file === null) return null
        const uploaded = await moveToPlace(file, unique)
        written.push(uploaded)
        return uploaded
      },
    })
    const report = filesReport(refreshed)
    // A publisher that was killed before it wrote the manifest leaves a table ahead of the manifest.
    const isAhead = publishable.some(
      ({ name }) => standing.get(name)?.version !== manifest?.tables[name]?.version,
    )
    if (!refreshed.isChanged && !isAhead) return { ...report, changed: false }
    const moment = { run, published, standing, refreshed }
    const { committed, manifest: now } = await publishMoment(target, moment)
    if (now === null) {
      const uncommitted = written.filter(({ table }) => !committed.has(table))
      await files.remove(uncommitted.map(({ path }) => path))
      return null
    }
    const warnings = manifest === null || isOurs ? [] : [foreignNote(place, manifest.warehouse)]
    try {
      await sweepObjects(files, [...sizes.keys()], { before: manifest, now, committed })
    } catch (error) {
      // An old object costs room but fails no publication, because some keys may only write.
      const reason = error instanceof Error ? error.message : String(error)
      warnings.push(`objects of old versions in ${place} could not be removed: ${reason}`)
    }
    return { ...report, changed: true, ...(warnings.length > 0 && { warnings }) }
  }

  /** For small files only: the content goes through memory. */
  async function localCopy({ path, table, sha256 }: ManifestFile): Promise<string | null> {
    const content = await files.read(path)
    if (content === null) return null
    const local = join(scratchDir, `${table}.before.parquet`)
    await mkdir(scratchDir, { recursive: true })
    await writeFile(local, content)
    return (await fileSha256(local)) === sha256 ? local : null
  }

  /** Moves a file to its place, under a name that no other publication takes. */
  async function moveToPlace(file: ManifestFile, unique: string): Promise<ManifestFile> {
    const local = join(scratchDir, file.path)
    const path = `${file.table}/${basename(file.path, '.parquet')}-${unique}.parquet`
    const { size_bytes: sizeBytes, sha256 } = file
    crashPoint('publish.rename.before')
    await files.upload(path, { path: local, sizeBytes, sha256 })
    crashPoint('publish.rename.after')
    await rm(local, { force: true })
    return { ...file, path }
  }

  return publishInTurn('parquet', connection, place, publish)
}

function foreignNote(place: string, warehouse: string): string {
  return `${place} was published by another warehouse (${warehouse}) before, so all files were written again. Give each warehouse a prefix of its own.`
}
