import { link, mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { diskStage } from '../../stage/disk-stage.ts'
import type { DiskStage } from '../../stage/disk-stage.ts'
import { KEY, ROWS, SPEC, pageOf } from './staged-sample.ts'

let dir: string
let stage: DiskStage
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'coinlake-stage-'))
  stage = diskStage({ dir, keep: 'forever' })
})
afterEach(() => rm(dir, { recursive: true }))

const NEXT = { ...KEY, generation: KEY.generation + 1 }

async function spares(): Promise<{ name: string; inode: number; sizeBytes: number }[]> {
  const names = await readdir(join(dir, 'tmp'))
  return await Promise.all(
    names.map(async (name) => {
      const { ino, size } = await stat(join(dir, 'tmp', name))
      return { name, inode: ino, sizeBytes: size }
    }),
  )
}

test('the rows of a loaded page leave an empty file, which a later page is written to', async () => {
  await stage.write(pageOf(ROWS))
  await stage.release(KEY.sliceId, KEY.generation)
  const [spare, ...more] = await spares()
  expect(more).toEqual([])
  expect(spare).toMatchObject({ sizeBytes: 0 })

  const written = await stage.write(pageOf(ROWS.slice(0, 1), { key: NEXT }))
  expect(await spares()).toEqual([])
  const folder = join(dir, 'pages', KEY.sliceId.slice(0, 2), `${KEY.sliceId}-g${NEXT.generation}`)
  const names = [written.raw.name, ...written.tables.map(({ name }) => name), 's0p1.json']
  const inodes = await Promise.all(names.map(async (name) => (await stat(join(folder, name))).ino))
  expect(inodes).toContain(spare?.inode)

  // Another object, as in another process, holds each file against its checksum.
  const found = await diskStage({ dir, keep: 'forever' }).find(NEXT)
  expect(found).toEqual(written)
  expect((await stage.readTable(found!, SPEC.name)).numRows).toBe(1)
})

test('a spare that somebody has swept away is not missed', async () => {
  await stage.write(pageOf(ROWS))
  await stage.release(KEY.sliceId, KEY.generation)
  await rm(join(dir, 'tmp', (await spares())[0]!.name))
  await stage.write(pageOf(ROWS, { key: NEXT }))
  expect(await diskStage({ dir, keep: 'forever' }).find(NEXT)).not.toBeNull()
})

test('rows that a backup has linked stay as they are in it', async () => {
  const written = await stage.write(pageOf(ROWS))
  const { name } = written.tables[0]!
  const folder = join(dir, 'pages', KEY.sliceId.slice(0, 2), `${KEY.sliceId}-g${KEY.generation}`)
  const backup = join(dir, name)
  await link(join(folder, name), backup)
  const { size } = await stat(backup)
  await stage.release(KEY.sliceId, KEY.generation)
  await stage.write(pageOf(ROWS, { key: NEXT }))
  expect((await stat(backup)).size).toBe(size)
  expect(await spares()).toEqual([])
})

test('what is let go of after the close leaves nothing', async () => {
  await stage.write(pageOf(ROWS))
  await stage.close()
  await stage.release(KEY.sliceId, KEY.generation)
  expect(await spares()).toEqual([])
})

test('none is left once the stage is closed', async () => {
  await stage.write(pageOf(ROWS))
  await stage.release(KEY.sliceId, KEY.generation)
  expect(await spares()).toHaveLength(1)
  await stage.close()
  expect(await spares()).toEqual([])
})
