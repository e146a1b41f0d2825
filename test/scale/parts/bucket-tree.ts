import type { TableSpec } from '../../../datasets/dataset.ts'
import { readBucketManifest } from '../../../sinks/publish-bucket/bucket-manifest.ts'
import type { BucketManifest } from '../../../sinks/publish-bucket/bucket-manifest.ts'
import { versionObjects } from '../../../sinks/publish-bucket/bucket-versions.ts'
import { s3Files } from '../../../stage/s3-files.ts'
import { parquetRows } from '../../sinks/publish/read-parquet.ts'

/** The manifest of what a bucket publishes; throws where nothing is. */
export async function manifestOf(place: string): Promise<BucketManifest> {
  const read = await readBucketManifest(place)
  if (read === null) throw new Error(`nothing is published in ${place}`)
  return read.manifest
}

/** Rows of a published table, by way of the manifest and a reader that shares no code with DuckDB. */
export async function readBucketTable(place: string, table: TableSpec): Promise<string[]> {
  const read = await readBucketManifest(place)
  return read === null ? [] : await rowsOfVersion(place, read.manifest, table)
}

/** The same for a manifest that was read before. */
export async function rowsOfVersion(
  place: string,
  { files }: BucketManifest,
  table: TableSpec,
): Promise<string[]> {
  const rows: string[] = []
  for (const file of files.filter((one) => one.table === table.name)) {
    const content = await s3Files(place).read(file.path)
    if (content === null) throw new Error(`${place}/${file.path} is gone`)
    const bytes = new Uint8Array(content).buffer
    const slice = (start: number, end?: number): ArrayBuffer => bytes.slice(start, end)
    rows.push(...(await parquetRows({ byteLength: bytes.byteLength, slice }, table)))
  }
  return rows
}

/** Objects of versions that the manifest does not name, not even as retired. */
export async function orphansIn(place: string): Promise<string[]> {
  const { files, retired, views_sql: views } = await manifestOf(place)
  const named = new Set([views, ...[...files, ...retired].map(({ path }) => path)])
  const objects = await versionObjects(s3Files(place))
  return [...objects.keys()].filter((name) => !named.has(name))
}
