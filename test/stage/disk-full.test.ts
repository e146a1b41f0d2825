import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { KEY, openSample, ROWS, pageOf } from './staged-sample.ts'
import { tempDir } from '../parts/temp-dir.ts'

/** How many files may still be written before the disk is full: a fault that no real disk gives on demand. */
const disk = vi.hoisted(() => ({ filesLeft: Infinity }))

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

test('a full disk is one clear error, no page, no temp file; later it works', async () => {
  const dir = tempDir()
  disk.filesLeft = 0
  const stage = openSample(dir)
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
