import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, expect, test, vi } from 'vitest'
import { KEY, openSample, ROWS, pageOf } from './staged-sample.ts'
import { tempDir } from '../parts/temp-dir.ts'

/** How many files may still be written before the disk is full: a fault that no real disk gives on demand. */
const disk = vi.hoisted(() => ({ filesLeft: Infinity }))

/** A disk with room for all that these tests write. */
const ROOM = vi.hoisted(() => {
  return { bavail: 1_000_000, bsize: 4_096, blocks: 2_000_000, ffree: 1_000, files: 5_000 }
})
const statfs = vi.hoisted(() => vi.fn(async () => ROOM))
vi.mock('node:fs/promises', async (original) => ({
  ...(await original<typeof import('node:fs/promises')>()),
  statfs,
}))

vi.mock('node:fs', async (original) => {
  const real = await original<typeof import('node:fs')>()
  return {
    ...real,
    writeFileSync: (...args: Parameters<typeof real.writeFileSync>) => {
      if (disk.filesLeft-- > 0) return real.writeFileSync(...args)
      throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' })
    },
  }
})

let dir: string
beforeEach(async () => {
  dir = tempDir()
})
test('a full disk is one clear error, no page, no temp file; later it works', async () => {
  disk.filesLeft = 0
  const stage = openSample(dir, { roomWithinMs: 0 })
  await expect(stage.write(pageOf(ROWS))).rejects.toMatchObject({
    code: 'STAGE_DISK_FULL',
    exitCode: 5,
    hint: expect.stringContaining('Free some space'),
  })
  expect(await stage.find(KEY)).toBeNull()
  expect(await readdir(join(dir, 'tmp'))).toEqual([])
  disk.filesLeft = Infinity
  const page = await stage.write(pageOf(ROWS))
  expect(await stage.find(KEY)).toEqual(page)
})

test('an answer that was paid for waits for room', async () => {
  disk.filesLeft = 0
  const stage = openSample(dir, { roomWithinMs: 60_000 })
  const written = stage.write(pageOf(ROWS))
  await vi.waitFor(() => expect(disk.filesLeft).toBeLessThan(0))
  disk.filesLeft = Infinity
  expect(await stage.find(KEY)).toBeNull()
  expect(await written).toEqual(await stage.find(KEY))
})

test('a call is refused where its answer could not be kept', async () => {
  const stage = openSample(dir)
  await stage.requireRoom()
  statfs.mockResolvedValueOnce({ ...ROOM, bavail: 512 })
  await expect(openSample(dir, { inFlight: 9 }).requireRoom()).rejects.toThrow('2359296 may be')
  statfs.mockResolvedValueOnce({ ...ROOM, bavail: 511 })
  await expect(stage.requireRoom()).rejects.toMatchObject({
    code: 'STAGE_DISK_FULL',
    exitCode: 5,
    message: expect.stringContaining('2093056 bytes are free, and 2097152 may be on their way'),
    hint: expect.stringMatching(/^This call was not made\. Free some space/),
  })
})

test('a call is refused where no inode is free for its answer', async () => {
  const stage = openSample(dir)
  statfs.mockResolvedValueOnce({ ...ROOM, ffree: 16 })
  await stage.requireRoom()
  statfs.mockResolvedValueOnce({ ...ROOM, ffree: 15 })
  await expect(stage.requireRoom()).rejects.toMatchObject({
    code: 'STAGE_DISK_FULL',
    message: expect.stringMatching(/: 15 inodes are free, and 16 may be needed$/),
    hint: expect.stringMatching(/^This call was not made\. Remove some files/),
  })
})

test('a file system that does not tell its room refuses no call', async () => {
  statfs.mockResolvedValueOnce({ ...ROOM, bavail: 0, blocks: 0, ffree: 0, files: 0 })
  await openSample(dir).requireRoom()
})
