import { existsSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { SinkName } from '../../config/config.ts'
import type { WarehousePaths } from '../../config/warehouse-paths.ts'
import { CoinlakeError } from '../../config/coinlake-error.ts'
import { PUBLICATION_DAMAGE } from '../../sinks/duckdb-store/as-sink-error.ts'
import { fileSha256 } from '../../sinks/publish/durable-files.ts'
import { MANIFEST, readManifest } from '../../sinks/publish-parquet/manifest.ts'
import { shownVersion } from '../../sinks/publish-parquet/tree-versions.ts'
import { SinkError } from '../../sinks/sink-error.ts'
import { readBlocks } from '../../sinks/verify/read-blocks.ts'
import { openPublished } from '../query/open-published.ts'
import { deltaLogDifferences } from './delta-log-differences.ts'
import { withOpen } from '../run/closing-after.ts'

/**
 * Checks the publications against their checksums, in random order, for a time, and the logs of Delta Lake tables.
 * Reads nothing of a bucket or a lake.
 *
 * @returns the checked part, 0 to 1
 * @throws SinkError PUBLICATION_DAMAGED; errors of a file that cannot be opened
 */
export async function checkPublishedBytes(
  paths: WarehousePaths,
  sink: SinkName,
  withinMs: number,
): Promise<number> {
  if (paths.lake !== null) return 1
  if (sink === 'duckdb') {
    if (!existsSync(paths.duckdbLink)) return 1
    return await withOpen(openPublished(paths, 'UTC'), (file) => readBlocks(file, withinMs))
  }
  if (paths.parquetBucket !== null) return 1
  const share = await readTree(paths.parquetLink, withinMs)
  const [log] = await deltaLogDifferences(paths)
  if (log !== undefined) throw damaged(`${log.what} does not lead to ${log.expected}: ${log.found}`)
  return share
}

/** Bytes that are read whatever the time. */
const LEAST_BYTES = 16 * 1024 * 1024

async function readTree(link: string, withinMs: number): Promise<number> {
  const untilMs = performance.now() + withinMs
  const dir = await shownVersion(link)
  const manifest = await readManifest(join(dir, MANIFEST))
  if (manifest === null && existsSync(join(dir, MANIFEST))) {
    throw damaged(`${join(dir, MANIFEST)} cannot be read`)
  }
  const files = manifest?.files ?? []
  let read = 0
  let bytes = 0
  for (const { file } of files
    .map((one) => ({ file: one, at: Math.random() }))
    .toSorted((a, b) => a.at - b.at)) {
    if (performance.now() >= untilMs && bytes >= LEAST_BYTES) break
    const path = join(dir, file.path)
    const size = (await stat(path).catch(() => null))?.size
    if (size !== file.size_bytes) {
      throw damaged(`${path} has ${size ?? 'no'} bytes and was published with ${file.size_bytes}`)
    }
    const hash = file.sha256 === '' ? '' : await fileSha256(path)
    if (hash !== file.sha256) {
      throw damaged(`${path} differs from the published file: SHA-256 ${hash}, not ${file.sha256}`)
    }
    read += 1
    bytes += file.size_bytes
  }
  return files.length === 0 ? 1 : read / files.length
}

function damaged(what: string): SinkError {
  return new SinkError(what, PUBLICATION_DAMAGE)
}

export function isDamage(error: unknown): error is CoinlakeError {
  return (
    error instanceof CoinlakeError &&
    ['PUBLICATION_DAMAGED', 'WAREHOUSE_NOT_DUCKDB'].includes(error.code)
  )
}
