import {
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  realpath,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Publication } from '../../../sinks/publication.ts'
import { newestSnapshot } from '../../../sinks/publish-parquet/tree-snapshots.ts'
import { publicationOf } from './publication-of.ts'
import { readParquetTable } from './read-parquet.ts'
import { chart, openSampleStore } from './sample-store.ts'
import type { SampleStore } from './sample-store.ts'

const RUN = { runId: 'run', publishedAtMs: 1_717_200_000_000, coinlakeVersion: '0.1.0' }

let root = ''
let tree = ''
let store: SampleStore
let publication: Publication

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'coinlake-snapshots-'))
  tree = join(root, 'parquet')
  store = await openSampleStore(join(root, 'store.duckdb'))
  publication = publicationOf('parquet', root, store.connection)
  await store.load({
    points: [
      ['bitcoin', '2024-01-01T00:00:00Z', 1],
      ['bitcoin', '2024-02-01T00:00:00Z', 2],
    ],
  })
  await publication.publish(RUN)
})
afterEach(async () => {
  store.close()
  await rm(root, { recursive: true, force: true })
})

const loadAndPublish = async (day: number): Promise<void> => {
  await store.load({ points: [['bitcoin', `2024-02-0${day}T00:00:00Z`, day]] })
  await publication.publish(RUN)
}

test('a snapshot that was resolved stays as it was, two publications long', async () => {
  const seen = await realpath(join(tree, 'snapshot'))
  const before = await readParquetTable(seen, chart)
  expect(before).toHaveLength(2)
  await loadAndPublish(2)
  await store.empty('2024-01')
  await publication.publish(RUN)
  expect(await readParquetTable(seen, chart)).toEqual(before)
  const now = await realpath(join(tree, 'snapshot'))
  expect(now).toBe(await realpath(await newestSnapshot(tree)))
  expect(await readParquetTable(now, chart)).toEqual(await readParquetTable(tree, chart))
  expect(await readdir(join(now, 'market_chart'))).toEqual(['2024-02.parquet'])
  expect(await readFile(join(now, 'manifest.json'), 'utf8')).toBe(
    await readFile(join(tree, 'manifest.json'), 'utf8'),
  )
  await loadAndPublish(3)
  expect((await readdir(join(tree, '.snapshots'))).sort()).toEqual(['2', '3', '4'])
})

test('months that did not change take no room', async () => {
  await loadAndPublish(2)
  const inos = await Promise.all(
    ['1', '2'].map(async (name) => {
      const month = (of: string) => join(tree, '.snapshots', name, 'market_chart', `${of}.parquet`)
      return [(await stat(month('2024-01'))).ino, (await stat(month('2024-02'))).ino]
    }),
  )
  expect(inos[0]?.[0]).toBe(inos[1]?.[0])
  expect(inos[0]?.[1]).not.toBe(inos[1]?.[1])
})

test.each(['a file that is gone', 'no snapshot at all', 'half a snapshot'])(
  '%s is mended by the next publication, also of nothing new',
  async (what) => {
    const folder = join(tree, '.snapshots')
    if (what === 'a file that is gone') await rm(join(folder, '1', 'manifest.json'))
    if (what === 'no snapshot at all') await rm(folder, { recursive: true })
    if (what === 'half a snapshot') {
      await rm(join(tree, 'snapshot'))
      await mkdir(join(folder, '2.tmp', 'market_chart'), { recursive: true })
    }
    expect((await publication.publish(RUN)).changed).toBe(true)
    const now = await realpath(join(tree, 'snapshot'))
    expect(await readParquetTable(now, chart)).toHaveLength(2)
    expect((await readdir(folder)).filter((name) => name.includes('.tmp'))).toEqual([])
    expect((await publication.publish(RUN)).changed).toBe(false)
  },
)

test.each(['a file', 'a folder', 'a link elsewhere'])(
  '%s in the place of the link is left as it is',
  async (what) => {
    const link = join(tree, 'snapshot')
    await rm(link)
    if (what === 'a file') await writeFile(link, 'mine')
    if (what === 'a folder') await mkdir(link)
    if (what === 'a link elsewhere') await symlink('/tmp', link)
    await store.load({ points: [['bitcoin', '2024-02-03T00:00:00Z', 3]] })
    await expect(publication.publish(RUN)).rejects.toMatchObject({ code: 'PUBLISH_TARGET_FOREIGN' })
    if (what === 'a link elsewhere') expect(await readlink(link)).toBe('/tmp')
  },
)
