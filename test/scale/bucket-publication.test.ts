import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Publication } from '../../sinks/publication.ts'
import { MANIFEST } from '../../sinks/publish-parquet/manifest.ts'
import { s3Files } from '../../stage/s3-files.ts'
import { deltaConformance } from '../sinks/publish/delta-conformance.ts'
import { deltaAt, placeOf, publicationOf } from '../sinks/publish/publication-of.ts'
import { runChild } from '../sinks/publish/run-child.ts'
import { expectStored, openSample, RUN } from '../sinks/publish/sample-publication.ts'
import { chart, type SampleStore } from '../sinks/publish/sample-store.ts'
import { beforeCopy } from './parts/before-copy.ts'
import { manifestOf, orphansIn, readDeltaTable } from '../sinks/publish/read-delta.ts'
import { s3OfFile } from './parts/minio.ts'

const s3 = await s3OfFile()

deltaConformance('bucket', placeOf)

describe('Delta tables in a bucket', () => {
  let root = ''
  let place = ''
  let store: SampleStore
  let publication: Publication

  beforeEach(async () => {
    ;({ root, store, publication } = await openSample('bucket'))
    place = placeOf(root)
    await store.load({
      points: [
        ['bitcoin', '2024-01-01T00:00:00Z', 1],
        ['bitcoin', '2024-02-01T00:00:00Z', 2],
      ],
      coins: [['bitcoin', '1', 'true', null]],
    })
    await publication.publish(RUN)
  })
  const expectEqualToStore = () => expectStored(store, (table) => readDeltaTable(place, table))

  const objectOf = async (month: string) =>
    (await manifestOf(place)).files.find((file) => file.month === month)?.path

  test('killed right after the manifest: published, and nothing is left', async () => {
    await store.load({ points: [['amp', '2024-03-01T00:00:00Z', 3]] })
    store.close()
    const env = {
      // Two commits, of the table and of its newest rows, then the manifest.
      COINLAKE_CRASH_AT: 'publish.manifest.after:3',
      COINLAKE_CRASH_LOG: join(root, 'log'),
    }
    expect(await runChild('publish-child.ts', ['bucket', root], env)).toMatchObject({
      signal: 'SIGKILL',
    })
    expect(await readDeltaTable(place, chart)).toHaveLength(3)
    ;({ store, publication } = await openSample('bucket', root))
    expect((await publication.publish(RUN)).changed).toBe(false)
    expect(await orphansIn(place)).toEqual([])
  })

  test('an object that was removed is uploaded again', async () => {
    await s3Files(place).remove([(await objectOf('2024-01')) ?? ''])
    expect((await publication.publish(RUN)).changed).toBe(true)
    await expectEqualToStore()
  })

  test("another program's manifest is left as it is", async () => {
    await s3Files(place).write(MANIFEST, '{"files": []}')
    await expect(publication.publish(RUN)).rejects.toMatchObject({
      code: 'PUBLISH_TARGET_FOREIGN',
      message: expect.stringContaining(`${place}/${MANIFEST}`),
    })
    expect(String(await s3Files(place).read(MANIFEST))).toBe('{"files": []}')
  })

  test('what another warehouse has published there is not taken for ours, and told', async () => {
    const before = (await manifestOf(place)).files.map(({ path }) => path)
    const other = deltaAt(place, root, store.connection, { warehouse: 'another' })
    const report = await other.publish(RUN)
    expect(report).toMatchObject({
      changed: true,
      warnings: [expect.stringContaining('(sample) before, so all files were written again')],
    })
    const { files, warehouse } = await manifestOf(place)
    expect(warehouse).toBe('another')
    expect(files.filter(({ path }) => before.includes(path))).toEqual([])
    await expectEqualToStore()
  })

  test('credentials expire in the middle of an upload: told, retryable, nothing lost', async () => {
    const before = await readDeltaTable(place, chart)
    await store.load({ points: [['bitcoin', '2024-02-02T00:00:00Z', 2]] })
    // The manifest has been read by then, and a file is written for the upload.
    const connection = beforeCopy(store.connection, async () => {
      await s3.kill()
      await s3.start('another-secret-of-the-test')
    })
    const refused = await publicationOf('bucket', root, connection)
      .publish(RUN)
      .then(
        () => null,
        (error: unknown) => error,
      )
    expect(refused).toMatchObject({
      name: 'SinkUnreachableError',
      code: 'PUBLISH_S3_DENIED',
      exitCode: 5,
      retryable: true,
      message: expect.stringMatching(/cannot write s3:.*2024-02-[0-9a-f]{16}\.parquet/),
    })
    const shown = JSON.stringify(refused, Object.getOwnPropertyNames(refused))
    expect(shown).not.toContain(s3.env['AWS_SECRET_ACCESS_KEY'])
    await s3.kill()
    await expect(publication.publish(RUN)).rejects.toMatchObject({ code: 'PUBLISH_S3_UNREACHABLE' })
    await s3.start()
    expect(await readDeltaTable(place, chart)).toEqual(before)
    expect((await publication.publish(RUN)).changed).toBe(true)
    await expectEqualToStore()
    expect(await orphansIn(place)).toEqual([])
  })
})
