import { existsSync, lstatSync } from 'node:fs'
import type { SinkName } from '../../config/config.ts'
import type { WarehousePaths } from '../../config/warehouse-paths.ts'
import { SinkError } from '../../sinks/sink-error.ts'
import { manifestAt } from '../../sinks/publish-delta/delta-manifest.ts'
import { filesAt } from '../../sinks/publish-delta/folder-files.ts'
import { objectSizes } from '../../sinks/publish-delta/sweep-objects.ts'
import { linkedVersion, isUntouched } from '../../sinks/publish-duckdb/version-facts.ts'
import { shownVersion } from '../../sinks/publish-parquet/tree-versions.ts'
import { GONE_HINT, gonePublications } from '../query/gone-publications.ts'
import { counted } from '../render/quantities.ts'
import { checkPublishedBytes } from '../verify/check-published-bytes.ts'
import { LOOK_MS, unreadPartText } from './unread-part.ts'
import { doubt, findingOf, fine, type Finding, type CheckResult } from './finding.ts'

/** Checks that readers find the publications, and that no other program has written into them. */
export async function lookAtPublications(
  paths: WarehousePaths,
  sinks: readonly SinkName[],
): Promise<Finding[]> {
  const checks = { duckdb: lookAtFile, parquet: lookAtTree }
  return Promise.all(
    sinks.map((sink) =>
      findingOf(sink, async () => {
        const [gone] = await gonePublications(paths, [sink])
        if (gone !== undefined) {
          throw new SinkError(gone.what, { code: 'PUBLICATION_GONE', hint: GONE_HINT })
        }
        return await checks[sink](paths)
      }),
    ),
  )
}

async function lookAtFile(paths: WarehousePaths): Promise<CheckResult> {
  const { duckdbLink } = paths
  const link = lstatSync(duckdbLink, { throwIfNoEntry: false })
  if (link === undefined) return fine('nothing is published yet')
  if (!link.isSymbolicLink()) {
    throw new SinkError(`${duckdbLink} is no link of ours`, {
      code: 'PUBLICATION_FOREIGN',
      hint: 'Move that file away: the next run publishes there.',
    })
  }
  if (existsSync(`${duckdbLink}.wal`)) {
    return doubt({
      what: `${duckdbLink}.wal is there: a program wrote into the published file`,
      code: 'PUBLICATION_WRITTEN',
      hint: 'Open it read-only. The next publication moves the .wal aside and replaces the file.',
    })
  }
  const share = await checkPublishedBytes(paths, 'duckdb', LOOK_MS)
  await requireUntouched(duckdbLink)
  return fine(`${duckdbLink}${unreadPartText(share, LOOK_MS)}`)
}

/** @throws SinkError PUBLICATION_WRITTEN */
async function requireUntouched(link: string): Promise<void> {
  const found = await linkedVersion(link)
  if (found !== null && isUntouched(found)) return
  const what = `size or time of ${link} differ from the facts in the .json beside its file: it was written to, or copied without its time`
  throw new SinkError(what, {
    code: 'PUBLICATION_WRITTEN',
    hint: '`coinlake verify` names rows that differ; the next `coinlake backfill` writes the file anew. Open it read-only.',
  })
}

async function lookAtTree(paths: WarehousePaths): Promise<CheckResult> {
  const { parquetLink, parquetBucket: bucket } = paths
  const place = bucket?.place ?? parquetLink
  const shown = bucket?.place ?? (await shownVersion(parquetLink))
  const manifest = await manifestAt(shown)
  if (manifest === null) return fine('nothing is published yet')
  const sizes = await objectSizes(filesAt(shown))
  const damaged = manifest.files.filter(({ path, size_bytes: sizeBytes }) => {
    return sizes.get(path) !== sizeBytes
  })
  const [first] = damaged
  if (first === undefined) {
    const share = await checkPublishedBytes(paths, 'parquet', LOOK_MS)
    const files = counted(manifest.files.length, 'file')
    return fine(`${place}: ${files}${unreadPartText(share, LOOK_MS)}`)
  }
  throw new SinkError(
    `${counted(damaged.length, 'file')} of ${place} missing or of another size, first ${first.path}`,
    {
      code: 'PUBLICATION_DAMAGED',
      hint: 'Run `coinlake verify`, which names each, then `coinlake backfill`: it writes them again.',
    },
  )
}
