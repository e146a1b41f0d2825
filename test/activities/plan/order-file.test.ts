import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readOrder, writeOrder } from '../../../activities/plan/order-file.ts'
import { orderId } from '../../../plan/order-id.ts'
import { tempDir } from '../../parts/temp-dir.ts'
import { wantedOf } from '../../plan/test-dataset.ts'

const ORDER = { wanted: [wantedOf({ dataset: 'ohlc', entities: ['bitcoin', 'Sample [é]'] })] }

test('an order is kept under its own hash, for its owner only, and read back the same', async () => {
  const dir = join(tempDir(), 'orders')
  const id = await writeOrder(dir, ORDER)
  expect(id).toBe(orderId(ORDER))
  expect(await readOrder(dir, id)).toEqual(ORDER)
  expect(await writeOrder(dir, ORDER)).toBe(id)
  expect(await readdir(dir)).toEqual([`${id}.json`])
  expect((await stat(join(dir, `${id}.json`))).mode & 0o777).toBe(0o600)
})

test.for([
  { name: 'gone', write: null },
  { name: 'no JSON', write: '{ "wanted": [' },
  { name: 'empty', write: '' },
  { name: 'null', write: 'null' },
  { name: 'another order', write: '{"wanted":[]}' },
])('an order file that is $name is refused with its path and exit code 5', async ({ write }) => {
  const dir = tempDir()
  const id = orderId(ORDER)
  if (write !== null) await writeFile(join(dir, `${id}.json`), write)
  await expect(readOrder(dir, id)).rejects.toMatchObject({
    code: 'ORDER_LOST',
    exitCode: 5,
    message: expect.stringContaining(join(dir, `${id}.json`)),
  })
})

test('an order that cannot be written is refused with the reason, and the file in its way is left alone', async () => {
  const dir = tempDir()
  const file = join(dir, 'file')
  await writeFile(file, 'mine')
  await expect(writeOrder(join(file, 'orders'), ORDER)).rejects.toMatchObject({
    code: 'ORDER_NOT_WRITTEN',
    exitCode: 5,
    message: expect.stringContaining('ENOTDIR'),
  })
  expect(await readFile(file, 'utf8')).toBe('mine')
})
