import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { readDeltaManifest } from '../../sinks/publish-delta/delta-manifest.ts'
import { MANIFEST } from '../../sinks/publish-parquet/manifest.ts'
import { s3Files } from '../../stage/s3-files.ts'

/**
 * Copies a bucket's publication into a folder, for checks that read files, and removes the folder afterwards.
 *
 * @param place `s3://bucket/prefix`
 * @param under the parent of that folder, made if missing
 * @returns null when nothing is published
 */
export async function withBucketCopy<T>(
  place: string,
  under: string,
  work: (dir: string) => Promise<T>,
): Promise<T | null> {
  const files = s3Files(place)
  const read = await readDeltaManifest(place, files)
  if (read === null) return null
  await mkdir(under, { recursive: true, mode: 0o700 })
  const dir = await mkdtemp(join(under, 'bucket-'))
  try {
    for (const { path } of read.manifest.files) {
      const content = await files.read(path)
      if (content === null) continue
      await mkdir(join(dir, dirname(path)), { recursive: true })
      await writeFile(join(dir, path), content)
    }
    await writeFile(join(dir, MANIFEST), JSON.stringify(read.manifest))
    return await work(dir)
  } finally {
    await rm(dir, { recursive: true, force: true })
  }
}
