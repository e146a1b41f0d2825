import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { filesAt } from '../../../sinks/publish-delta/folder-files.ts'
import { publicationConformance } from './publication-conformance.ts'
import type { PublicationKind } from './publication-of.ts'
import { manifestOf, orphansIn, readDeltaTable } from './read-delta.ts'

/**
 * The promises of every publication, for Delta tables: read back by their logs.
 *
 * @param placeOf where those of a root are
 */
export function deltaConformance(
  kind: PublicationKind & ('delta' | 'bucket'),
  placeOf: (root: string) => string,
): void {
  publicationConformance({
    kind,
    // Two tables and the newest rows of one are committed one after the other, then the manifest.
    moreCrashPoints: [
      'publish.rename.after:2',
      'publish.manifest.after',
      'publish.manifest.before:2',
      'publish.manifest.after:3',
      'publish.manifest.before:4',
    ],
    readBack: (root, table) => readDeltaTable(placeOf(root), table),
    async fingerprint(root) {
      const { files } = await manifestOf(placeOf(root))
      const named = new Set(files.map(({ path }) => path))
      const listed = await filesAt(placeOf(root)).list('')
      const found = listed.filter(({ name }) => named.has(name))
      return found.map(({ name, modifiedMs }) => `${name} ${modifiedMs}`)
    },
    async leftovers(root) {
      const local = existsSync(join(root, 'scratch')) ? ['scratch'] : []
      return [...local, ...(await orphansIn(placeOf(root)))]
    },
  })
}
