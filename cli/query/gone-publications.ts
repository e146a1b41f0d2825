import { existsSync } from 'node:fs'
import { readlink } from 'node:fs/promises'
import { basename } from 'node:path'
import type { RunReport } from '../../activities/run-report.ts'
import type { SinkName } from '../../config/config.ts'
import type { WarehousePaths } from '../../config/warehouse-paths.ts'
import { manifestAt } from '../../sinks/publish-delta/delta-manifest.ts'
import { isS3 } from '../../stage/s3-files.ts'
import { newestReports } from '../run/newest-reports.ts'

export interface GonePublication {
  sink: SinkName
  /** The place that readers open: a path, or `s3://bucket/prefix`. */
  place: string
  /** The evidence, as a sentence. */
  what: string
}

export const GONE_HINT =
  'Run `coinlake backfill`: it publishes again, without a call when nothing is missing.'

/** The last runs may have ended without a publication. */
const REPORTS_ASKED = 20

/**
 * The configured publications that are gone: a broken link, or nothing although a run reports a publication there. A
 * place that no run reports counts as never published.
 *
 * @throws CoinlakeError for an unreadable bucket or manifest
 */
export async function gonePublications(
  paths: WarehousePaths,
  sinks: readonly SinkName[],
): Promise<GonePublication[]> {
  const { duckdbLink, parquetLink, parquetBucket } = paths
  const gone: GonePublication[] = []
  for (const sink of sinks) {
    const place = sink === 'duckdb' ? duckdbLink : (parquetBucket?.place ?? parquetLink)
    const isThere = sink === 'duckdb' ? existsSync(place) : (await manifestAt(place)) !== null
    const what = isThere ? null : await howGone(paths, sink, place)
    if (what !== null) gone.push({ sink, place, what })
  }
  return gone
}

async function howGone(
  { runsDir }: WarehousePaths,
  sink: SinkName,
  place: string,
): Promise<string | null> {
  // A bucket has no link.
  const target = await readlink(place).catch(() => null)
  if (target !== null && !existsSync(place)) {
    return `${place} leads to ${target}, which is gone`
  }
  // A warehouse may have moved, so only the name of a folder is compared: `parquet` or `delta`.
  const isHere = (path: string): boolean =>
    isS3(place) || isS3(path) ? path === place : basename(path) === basename(place)
  const reports: Partial<RunReport>[] = await newestReports(runsDir, REPORTS_ASKED)
  for (const { runId, finishedAt, publications = [] } of reports) {
    // A publication without files (no rows yet) cannot go.
    const isPublished = publications.some(
      ({ publication, files, path }) => publication === sink && files > 0 && isHere(path),
    )
    if (isPublished) {
      return `nothing is published in ${place}, where run ${runId} (ended ${finishedAt}) had published: it was removed`
    }
  }
  return null
}
