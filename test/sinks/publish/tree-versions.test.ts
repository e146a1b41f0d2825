import { cp, lstat, mkdir, readdir, readFile, readlink, realpath, rm } from 'node:fs/promises'
import { rename, stat, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { carryOverFiles } from '../../../sinks/publish-parquet/tree-versions.ts'
import type { Publication } from '../../../sinks/publication.ts'
import { treePlace } from './publication-of.ts'
import { readParquetTable } from './read-parquet.ts'
import { openSample, RUN } from './sample-publication.ts'
import { chart, type SampleStore, storeRows } from './sample-store.ts'

let root = ''
let dir = ''
let link = ''
let store: SampleStore
let publication: Publication

beforeEach(async () => {
  ;({ root, store, publication } = await openSample('parquet'))
  ;({ dir, link } = treePlace(root))
  await store.load({
    points: [
      ['bitcoin', '2024-01-01T00:00:00Z', 1],
      ['bitcoin', '2024-02-01T00:00:00Z', 2],
    ],
  })
  await publication.publish(RUN)
})

const loadAndPublish = async (day: number) => {
  await store.load({ points: [['bitcoin', `2024-02-0${day}T00:00:00Z`, day]] })
  return await publication.publish(RUN)
}

const parquetFiles = async (of: string): Promise<string[]> =>
  (await readdir(of, { recursive: true })).filter((name) => name.endsWith('.parquet')).sort()

/** The tree as an older coinlake left it: a folder with snapshots in it. */
async function makeOldTree(): Promise<void> {
  const version = await realpath(link)
  await rm(link)
  await rename(version, link)
  await rm(dir, { recursive: true })
  await cp(link, join(root, 'copy'), { recursive: true })
  await mkdir(join(link, '.snapshots'))
  await rename(join(root, 'copy'), join(link, '.snapshots', '1'))
  await symlink('.snapshots/1', join(link, 'snapshot'))
}

test('a version that was resolved stays as it was, two publications long', async () => {
  const seen = await realpath(link)
  const before = await readParquetTable(seen, chart)
  expect(before).toHaveLength(2)
  await loadAndPublish(2)
  await store.empty('2024-01')
  await publication.publish(RUN)
  expect(await readParquetTable(seen, chart)).toEqual(before)
  expect(await readlink(link)).toBe('parquet-versions/3')
  expect(await readParquetTable(link, chart)).toEqual(await storeRows(store.connection, chart))
  // A program that takes all there is counts no row twice.
  expect(await parquetFiles(link)).toEqual([
    'market_chart/2024-02.parquet',
    'market_chart_newest/all.parquet',
  ])
  // As a publisher leaves it that is killed before it moves the link.
  await cp(join(dir, '3'), join(dir, '4'), { recursive: true })
  await loadAndPublish(3)
  expect((await readdir(dir)).sort()).toEqual(['2', '3', '4'])
})

const DAMAGE: Record<string, () => Promise<unknown>> = {
  // As a publisher leaves it that is killed while the folder of an older coinlake becomes the link.
  'a link that is gone': () => rm(link),
  'half a version': async () => {
    for (const name of ['.draft', '7.gone'])
      await cp(link, join(dir, name), { recursive: true, dereference: true })
    await rm(join(link, 'manifest.json'))
  },
  'a link that leads nowhere': () => rm(dir, { recursive: true }),
  'a version without views': () => rm(join(link, 'views.sql')),
}
test.each(Object.keys(DAMAGE))(
  '%s is mended by the next publication, also of nothing new',
  async (what) => {
    await DAMAGE[what]!()
    expect((await publication.publish(RUN)).changed).toBe(true)
    expect(await readParquetTable(link, chart)).toEqual(await storeRows(store.connection, chart))
    expect((await readdir(dir)).filter((name) => /[^0-9]/.test(name))).toEqual([])
    expect((await publication.publish(RUN)).changed).toBe(false)
  },
)

test.each(['a file', 'a folder', 'a link elsewhere'])(
  '%s in the place of the link is left as it is',
  async (what) => {
    await rm(link)
    if (what === 'a file') await writeFile(link, 'mine')
    if (what === 'a folder') await cp(import.meta.dirname, join(link, 'mine'), { recursive: true })
    if (what === 'a link elsewhere') await symlink('/tmp', link)
    const refused = { code: 'PUBLISH_TARGET_FOREIGN', message: expect.stringContaining(link) }
    await expect(loadAndPublish(3)).rejects.toMatchObject(refused)
    if (what === 'a link elsewhere') expect(await readlink(link)).toBe('/tmp')
    expect(await readdir(dir)).toEqual(['1'])
  },
)

test.each(['snapshot/of.csv', '.snapshots/1/of.csv', 'manifest.json'])(
  "a folder with %s of somebody else's is no older coinlake's: it is left as it is",
  async (name) => {
    await rm(link)
    await mkdir(dirname(join(link, name)), { recursive: true })
    await writeFile(join(link, name), '{"mine": true}')
    await expect(loadAndPublish(3)).rejects.toMatchObject({ code: 'PUBLISH_TARGET_FOREIGN' })
    expect(await readFile(join(link, name), 'utf8')).toBe('{"mine": true}')
    expect(await readdir(dir)).toEqual(['1'])
  },
)

test('files of another program stay when their version goes, whatever their names', async () => {
  const mine = ['.snapshots/1/of.csv', 'snapshot/of.csv']
  for (const name of mine) {
    await mkdir(dirname(join(link, name)), { recursive: true })
    await writeFile(join(link, name), 'mine')
  }
  // A version whose manifest is gone tells of no name that it is coinlake's.
  await loadAndPublish(2)
  await rm(join(link, 'manifest.json'))
  await writeFile(join(link, 'views.sql'), 'mine')
  for (const day of [3, 4, 5]) await loadAndPublish(day)
  expect((await readdir(dir)).sort()).toEqual(['1.gone', '2.gone', '3', '4', '5'])
  const left = await readdir(join(dir, '1.gone'), { recursive: true })
  expect(left.filter((name) => name.endsWith('.csv')).sort()).toEqual(mine)
  expect(left).not.toContain('manifest.json')
  expect(await readFile(join(dir, '2.gone', 'views.sql'), 'utf8')).toBe('mine')
})

test('a version of which a file cannot be removed keeps the manifest that names it', async () => {
  const file = join(await realpath(link), 'market_chart/2024-01.parquet')
  await rm(file)
  await mkdir(file)
  await writeFile(join(file, 'mine'), 'mine')
  for (const day of [2, 3, 4]) await loadAndPublish(day)
  expect(await readdir(join(dir, '1.gone'))).toContain('manifest.json')
  await rm(file.replace('/1/', '/1.gone/'), { recursive: true })
  await loadAndPublish(5)
  expect((await readdir(dir)).sort()).toEqual(['3', '4', '5'])
})

test('a file that cannot be linked into the draft is copied', async () => {
  const [from, draft] = [join(root, 'from'), join(root, 'draft')]
  for (const folder of [from, draft]) await mkdir(join(folder, 'coins'), { recursive: true })
  await writeFile(join(from, 'coins', 'all.parquet'), 'whole')
  // A name that is taken stands for a file system without hard links.
  await writeFile(join(draft, 'coins', 'all.parquet'), 'half')
  await carryOverFiles(from, draft, ['coins/all.parquet'])
  expect(await readFile(join(draft, 'coins', 'all.parquet'), 'utf8')).toBe('whole')
})

const OLD_TREES: Record<string, () => Promise<unknown>> = {
  'an empty folder': async () => {
    await rm(link)
    await mkdir(link)
  },
  'a folder with a manifest': async () => {
    await makeOldTree()
    await rm(join(link, 'snapshot'))
  },
  'a folder with a snapshot': async () => {
    await makeOldTree()
    await rm(join(link, 'manifest.json'))
  },
}
test.each(Object.keys(OLD_TREES))('%s in the place of the link becomes a version', async (what) => {
  await OLD_TREES[what]!()
  await loadAndPublish(2)
  expect((await lstat(link)).isSymbolicLink()).toBe(true)
  expect(await readParquetTable(link, chart)).toEqual(await storeRows(store.connection, chart))
})

test('a folder of an older coinlake becomes the link, nothing is written again, and it goes as a version goes', async () => {
  await makeOldTree()
  await writeFile(join(link, 'market_chart', 'notes.txt'), 'mine')
  const before = await readParquetTable(link, chart)
  const { ino } = await stat(join(link, 'market_chart/2024-01.parquet'))

  expect((await publication.publish(RUN)).changed).toBe(true)
  expect(await readlink(link)).toBe('parquet-versions/2')
  expect((await stat(join(link, 'market_chart/2024-01.parquet'))).ino).toBe(ino)
  expect(await readParquetTable(link, chart)).toEqual(before)
  expect(await readParquetTable(join(dir, '1'), chart)).toEqual(before)
  expect(await readdir(link)).not.toContain('snapshot')
  expect((await publication.publish(RUN)).changed).toBe(false)

  await loadAndPublish(2)
  await loadAndPublish(3)
  // Only what is somebody else's is left of it.
  expect((await readdir(dir)).sort()).toEqual(['1.gone', '2', '3', '4'])
  const left = await readdir(join(dir, '1.gone'), { recursive: true })
  expect(left.sort()).toEqual(['market_chart', 'market_chart/notes.txt'])
})
