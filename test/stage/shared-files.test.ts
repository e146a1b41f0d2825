import { mkdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { sharedFiles } from '../../stage/shared-files.ts'
import { tempDir } from '../parts/temp-dir.ts'

const OLD_SLICE = 'pages/01/0123456789abcdef0123-g0'

test('a folder lists its files, alone or with all below, moves and removes them', async () => {
  const dir = join(tempDir(), 'a')
  const files = sharedFiles(dir)
  const names = async (folder: string, how: 'list' | 'listDeep' = 'list') =>
    (await files[how](folder)).map(({ name }) => name).sort()
  expect(await names('pages')).toEqual([])
  const [one, two, old] = ['pages/1.page', 'pages/01/2.page', `${OLD_SLICE}/s0p1.json`]
  for (const name of [one, two, old]) await files.write(name, 'x')
  expect(await names('pages')).toEqual([one])
  expect(await names('pages', 'listDeep')).toEqual([old, two, one])

  await files.move(one, 'damaged/deep/1.page')
  await files.move(one, 'damaged/deep/2.page')
  expect(await names('damaged', 'listDeep')).toEqual(['damaged/deep/1.page'])
  expect(statSync(join(dir, 'damaged')).mode & 0o777).toBe(0o700)

  await files.remove([two, old, 'pages/01/not-there.page'])
  expect(await names('pages', 'listDeep')).toEqual([])
})

test('a file that is gone by its look counts as new and empty', async () => {
  const dir = tempDir()
  const files = sharedFiles(dir)
  await files.write('a.json', 'xyz')
  const [file] = await files.list('')
  expect(file).toMatchObject({ name: 'a.json', sizeBytes: 3 })
  const startedMs = Date.now()
  rmSync(join(dir, 'a.json'))
  expect(file?.sizeBytes).toBe(0)
  expect(file?.modifiedMs).toBeGreaterThanOrEqual(startedMs)
  expect(await files.read('a.json')).toBeNull()
})

test('another fault than a missing file is thrown', async () => {
  const dir = tempDir()
  mkdirSync(join(dir, 'folder'))
  await expect(sharedFiles(dir).read('folder')).rejects.toMatchObject({ code: 'EISDIR' })
})
