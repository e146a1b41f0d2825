import { chmod, rename, stat } from 'node:fs/promises'
import { dirname, relative } from 'node:path'
import { type DuckDBConnection, version as engineVersion } from '@duckdb/node-api'
import { crashPoint } from '../../config/crash-point.ts'
import type { TableSpec } from '../../datasets/dataset.ts'
import { SCHEMA_VERSION } from '../ledger/schema-versions.ts'
import { newestTablesOf } from '../newest/newest-tables.ts'
import type { Publication, PublishReport } from '../publication.ts'
import { definitionHash } from '../publish/definition-hash.ts'
import { renameDurably, syncFile, writeJsonDurably } from '../publish/durable-files.ts'
import type { LedgerRelation } from '../publish/ledger-relation.ts'
import { moveLink } from '../publish/move-link.ts'
import { publishInTurn } from '../publish/publish-in-turn.ts'
import { storeMark } from '../publish/store-mark.ts'
import { storeReader } from '../publish/store-reader.ts'
import type { StoreReader } from '../publish/store-reader.ts'
import { analystViews } from '../views/analyst-views.ts'
import { asOfMacros } from '../views/versions.ts'
import { buildVersion } from './build-version.ts'
import { extendVersion, NotExtended } from './extend-version.ts'
import { isHeldByWriter } from './held-by-writer.ts'
import type { VersionContent, WrittenVersion } from './version-content.ts'
import { versionCopy } from './version-copy.ts'
import { currentVersion, factsPath, type VersionFacts } from './version-facts.ts'
import {
  newVersionFile,
  pruneVersions,
  requireOwnLink,
  setForeignWalAside,
  sweepLeftovers,
} from './version-files.ts'
import { mayBeExtended } from './version-lineage.ts'

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
 * data at their next connection. A publication of what is published already changes nothing; one after
 * a small load is a copy of the newest file with what has changed .
 */
export function createDuckdbPublication(options: DuckdbPublicationOptions): Publication {
  const { connection, tables, ledgerTables, keep = KEPT_VERSIONS } = options
  const place = { dir: options.dir, link: options.link }
  const newest = newestTablesOf(tables).map(({ table }) => table)
  const names = new Set([...tables, ...newest, ...ledgerTables].map((table) => table.name))
  const views = analystViews.filter((view) => view.needs.every((name) => names.has(name)))
  const macros = asOfMacros.filter((macro) => macro.needs.every((name) => names.has(name)))
  // A newer engine may keep what it reads in another form: it writes all of it once.
  const parts = [tables, newest, ledgerTables, views, macros, SCHEMA_VERSION, engineVersion()]
  const definition = definitionHash(...parts)
  const copy = versionCopy(place.dir)

  function isExtendable(facts: VersionFacts): boolean {
    // Facts of an older coinlake do not say what is sorted.
    const isKnown = Number.isInteger(facts.unsorted_rows) && Number.isInteger(facts.sorted_load_id)
    return isKnown && facts.definition === definition && mayBeExtended(ledgerTables)
  }

  /** Extends a copy of the newest version, or writes all of it anew. */
  async function write(
    store: StoreReader,
    temp: string,
    content: VersionContent,
    current: Awaited<ReturnType<typeof currentVersion>>,
  ): Promise<{ written: WrittenVersion; warnings: string[] }> {
    const warnings: string[] = []
    if (current !== null && isExtendable(current.facts)) {
      try {
        await rename(await copy.take(current.file), temp)
        return { written: await extendVersion(store, temp, content, current.facts), warnings }
      } catch (error) {
        if (!(error instanceof NotExtended)) {
          const reason = error instanceof Error ? error.message : String(error)
          warnings.push(`${current.file} could not be extended (${reason}): all was written anew`)
        }
      }
    }
    await copy.discard()
    await sweepLeftovers(place.dir)
    return { written: await buildVersion(store, temp, content), warnings }
  }

  async function publish(run: Parameters<Publication['publish']>[0]): Promise<PublishReport> {
    const startedMs = performance.now()
    await requireOwnLink(place)
    await sweepLeftovers(place.dir, copy.path)
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
      if (!(await isHeldByWriter(current.file))) return report(current.facts, false)
      warnings.push(
        `${current.file} is open for writing in another program, and nobody else can read it: published anew. Open published files read-only.`,
      )
    }

    const file = await newVersionFile(place.dir, run)
    const temp = `${file}.tmp`
    const content = { tables, ledgerTables, views, macros }
    const published = { ...run, schemaVersion: SCHEMA_VERSION }
    const made = await write(store, temp, { ...content, published }, current).catch(
      async (error: unknown) => {
        // A full disk must not stay full of half a file until the next attempt.
        await sweepLeftovers(place.dir)
        throw error
      },
    )
    warnings.push(...made.warnings)
    const { mark, rows, sortedLoadId, unsortedRows } = made.written
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
      sorted_load_id: sortedLoadId,
      unsorted_rows: unsortedRows,
      written_at_ms: mtimeMs,
    }
    await writeJsonDurably(factsPath(file), facts)
    crashPoint('publish.rename.before')
    await renameDurably(temp, file)
    crashPoint('publish.rename.after')
    warnings.push(...(await setForeignWalAside(place)))
    crashPoint('publish.manifest.before')
    await moveLink(place.link, relative(dirname(place.link), file))
    crashPoint('publish.manifest.after')
    await pruneVersions(place.dir, file, keep)
    return report(facts, true)
  }

  return publishInTurn('duckdb', connection, place.link, publish, {
    async prepare() {
      await copy.begin(async () => {
        const current = await currentVersion(place.link)
        return current !== null && isExtendable(current.facts) ? current.file : null
      })
    },
    close: () => copy.discard(),
  })
}
