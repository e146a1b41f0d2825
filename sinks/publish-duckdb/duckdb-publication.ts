import { chmod, stat } from 'node:fs/promises'
import type { DuckDBConnection } from '@duckdb/node-api'
import { crashPoint } from '../../config/crash-point.ts'
import type { TableSpec } from '../../datasets/dataset.ts'
import { SCHEMA_VERSION } from '../ledger/schema-versions.ts'
import type { Publication, PublishReport } from '../publication.ts'
import { definitionHash } from '../publish/definition-hash.ts'
import { renameDurably, syncFile, writeJsonDurably } from '../publish/durable-files.ts'
import type { LedgerRelation } from '../publish/ledger-relation.ts'
import { publishInTurn } from '../publish/publish-in-turn.ts'
import { storeMark } from '../publish/store-mark.ts'
import { storeReader } from '../publish/store-reader.ts'
import { analystViews } from '../views/analyst-views.ts'
import { asOfMacros } from '../views/versions.ts'
import { buildVersion } from './build-version.ts'
import { currentVersion, factsPath, type VersionFacts } from './version-facts.ts'
import {
  moveLink,
  newVersionFile,
  pruneVersions,
  requireOwnLink,
  setForeignWalAside,
  sweepLeftovers,
} from './version-files.ts'

/** Readers may read and nobody may write: a program that writes anyway leaves a .wal behind. */
const PUBLISHED_MODE = 0o444
/** Versions kept for readers that have an older one open, the current one included. */
const KEPT_VERSIONS = 3

export interface DuckdbPublicationOptions {
  /** A connection of the store's own instance: the store's file is never opened a second time. */
  connection: DuckDBConnection
  tables: readonly TableSpec[]
  /** Ledger tables and ledger views; `_loads` and `_slices` must exist in the store. */
  ledgerTables: readonly LedgerRelation[]
  /** Folder of the versions, absolute. */
  dir: string
  /** The symlink that readers open, absolute. */
  link: string
  /** Versions kept, the current one included. Default 3. */
  keep?: number
}

/**
 * The readers' DuckDB file: a new read-only file per publication behind a symlink that is moved in
 * one step, so that no reader meets a lock or a half-written file, and pooled readers see the new
 * data at their next connection. A publication of what is published already changes nothing.
 */
export function createDuckdbPublication(options: DuckdbPublicationOptions): Publication {
  const { connection, tables, ledgerTables, keep = KEPT_VERSIONS } = options
  const place = { dir: options.dir, link: options.link }
  const names = new Set([...tables, ...ledgerTables].map((table) => table.name))
  const views = analystViews.filter((view) => view.needs.every((name) => names.has(name)))
  const macros = asOfMacros.filter((macro) => macro.needs.every((name) => names.has(name)))
  const definition = definitionHash(tables, ledgerTables, views, macros, SCHEMA_VERSION)

  async function publish(run: Parameters<Publication['publish']>[0]): Promise<PublishReport> {
    const startedMs = performance.now()
    await requireOwnLink(place)
    await sweepLeftovers(place.dir)
    const warnings = await setForeignWalAside(place)
    const store = await storeReader(connection)
    const current = await currentVersion(place.link)
    const before = await storeMark(store)
    const report = (facts: VersionFacts, changed: boolean): PublishReport => ({
      publication: 'duckdb',
      path: place.link,
      changed,
      files: 1,
      rows: facts.rows,
      sizeBytes: facts.size_bytes,
      durationMs: Math.round(performance.now() - startedMs),
      ...(warnings.length > 0 && { warnings }),
    })
    if (
      current?.facts.definition === definition &&
      current.facts.load_id === before.loadId &&
      current.facts.ledger === before.ledger
    ) {
      return report(current.facts, false)
    }

    const file = await newVersionFile(place.dir, run)
    const temp = `${file}.tmp`
    const { mark, rows } = await buildVersion(store, temp, {
      tables,
      ledgerTables,
      views,
      macros,
      published: { ...run, schemaVersion: SCHEMA_VERSION },
    }).catch(async (error: unknown) => {
      // A full disk must not stay full of half a file until the next attempt.
      await sweepLeftovers(place.dir)
      throw error
    })
    await syncFile(temp)
    await chmod(temp, PUBLISHED_MODE)
    const { size, mtimeMs } = await stat(temp)
    const facts: VersionFacts = {
      run_id: run.runId,
      load_id: mark.loadId,
      ledger: mark.ledger,
      definition,
      rows,
      size_bytes: size,
      written_at_ms: mtimeMs,
    }
    await writeJsonDurably(factsPath(file), facts)
    crashPoint('publish.rename.before')
    await renameDurably(temp, file)
    crashPoint('publish.rename.after')
    warnings.push(...(await setForeignWalAside(place)))
    crashPoint('publish.manifest.before')
    await moveLink(place, file)
    crashPoint('publish.manifest.after')
    await pruneVersions(place.dir, file, keep)
    return report(facts, true)
  }

  return publishInTurn('duckdb', connection, place.link, publish)
}
