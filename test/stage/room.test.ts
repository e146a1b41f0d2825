import { statfsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { freeBytesAt, requireRoom } from '../../stage/room.ts'
import { tempDir } from '../parts/temp-dir.ts'
import { openSample, pageOf } from './staged-sample.ts'

/** A disk with exactly the room that 8 answers of 256 KiB need. */
const DISK = { bavail: 512, bsize: 4_096, blocks: 2_000_000 }
const KIB = 1_024

test.each([
  ['exactly enough room', {}, 0, null],
  ['a block too few', { bavail: 511 }, 0, /: 2093056 bytes are free, and 2097152 may be on/],
  ['a larger answer came', {}, 256 * KIB + 1, /: 2097152 bytes are free, and 2097160 may be on/],
  ['no report of blocks', { bavail: 0, blocks: 0 }, 0, null],
])('%s: the call before 8 answers is refused or not', async (_, lack, largestBytes, message) => {
  const dir = tempDir()
  const looked: string[] = []
  const call = requireRoom(join(dir, 'not', 'made'), largestBytes, 8, (folder) => {
    looked.push(folder)
    return { ...DISK, ...lack }
  })
  if (message === null) await call
  else {
    await expect(call).rejects.toMatchObject({
      code: 'STAGE_DISK_FULL',
      exitCode: 5,
      message: expect.stringMatching(message) as string,
      hint: expect.stringMatching('^This call was not made. Free some space') as string,
    })
  }
  expect(looked).toEqual([dir])
})

test('a stage keeps room for as many answers as may come, each as large as the largest', async () => {
  const dir = tempDir()
  const { bavail, bsize } = statfsSync(dir)
  // Twice the free room with answers of 1 MiB, half of it with usual ones.
  const stage = openSample(dir, { inFlight: Math.ceil((2 * bavail * bsize) / (KIB * KIB)) })
  await stage.requireRoom()
  await openSample(dir).requireRoom()
  const rawBody = new Uint8Array(KIB * KIB)
  await stage.write({ ...pageOf([]), rawBody, encoded: { encoding: 'zstd', bytes: rawBody } })
  await stage.write(pageOf([]))
  await expect(stage.requireRoom()).rejects.toThrow('bytes are free')
})

test('a file system that reports no blocks has an unknown free space, and no full disk', () => {
  expect(freeBytesAt(tempDir(), () => ({ ...DISK, bavail: 0, blocks: 0 }))).toBeNull()
  expect(freeBytesAt(tempDir(), () => DISK)).toBe(512 * 4_096)
})
