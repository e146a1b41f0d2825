import { statfsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { requireRoom, whenRoom } from '../../stage/room.ts'
import { StageError } from '../../stage/stage-error.ts'
import { tempDir } from '../parts/temp-dir.ts'
import { openSample, pageOf } from './staged-sample.ts'

/** A disk with exactly the room that 8 answers of 256 KiB need. */
const DISK = { bavail: 512, bsize: 4_096, blocks: 2_000_000, ffree: 16, files: 5_000 }
const KIB = 1_024

test.each([
  ['exactly enough room', {}, 0, null],
  ['a block too few', { bavail: 511 }, 0, /: 2093056 bytes are free, and 2097152 may be on/],
  ['a larger answer came', {}, 256 * KIB + 1, /: 2097152 bytes are free, and 2097160 may be on/],
  ['an inode too few', { ffree: 15 }, 0, /: 15 inodes are free, and 16 may be needed$/],
  ['both too few', { bavail: 0, ffree: 0 }, 0, /: 0 bytes are free/],
  ['no report of blocks', { bavail: 0, blocks: 0 }, 0, null],
  ['no report of inodes', { ffree: 0, files: 0 }, 0, null],
  ['no report of blocks, no inode', { blocks: 0, bavail: 0, ffree: 0 }, 0, /: 0 inodes are free/],
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
      hint: expect.stringMatching(
        `^This call was not made. ${message.source.includes('inodes') ? 'Remove some files' : 'Free some space'}`,
      ) as string,
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

const FULL = new StageError('', { code: 'STAGE_DISK_FULL', hint: '' })
const OTHER = new StageError('', { code: 'STAGE_NOT_WRITABLE', hint: '' })

test.each([
  ['waits for room', 1_500, [FULL], null, 2],
  ['does not wait past its time', 1_500, [FULL, FULL], FULL, 2],
  ['does not wait when the next look comes too late', 500, [FULL], FULL, 1],
  ['does not wait after another fault', 1_500, [OTHER], OTHER, 1],
])('an answer %s', async (_, withinMs, faults, thrown, tries) => {
  let tried = 0
  const written = whenRoom(async () => {
    const fault = faults[tried++]
    if (fault !== undefined) throw fault
  }, withinMs)
  expect(await written.catch((error: unknown) => error)).toBe(thrown ?? undefined)
  expect(tried).toBe(tries)
})
