import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { warehouseId, warehousePaths } from '../../config/warehouse-paths.ts'
import { tempDir } from '../parts/temp-dir.ts'

const dir = tempDir(afterAll)
test('everything lies under the root, which is absolute', () => {
  const paths = warehousePaths('some/warehouse')
  expect(paths.root).toBe(join(process.cwd(), 'some/warehouse'))
  expect(paths.storeFile).toBe(join(paths.root, 'state/store.duckdb'))
  expect(paths.duckdbLink).toBe(join(paths.root, 'coinlake.duckdb'))
  const { lake, parquetBucket, ...places } = paths
  expect([lake, parquetBucket]).toEqual([null, null])
  for (const path of Object.values(places)) expect(path.startsWith(paths.root)).toBe(true)
})

test('the id is 12 hex digits and the same before and after the folder is made', () => {
  const warehouse = join(dir, 'later', 'warehouse')
  const before = warehouseId(warehouse)
  mkdirSync(warehouse, { recursive: true })
  expect(before).toMatch(/^[0-9a-f]{12}$/)
  expect(warehouseId(warehouse)).toBe(before)
})

test('the id is the same through a symlink and another for another folder', () => {
  const [real, link] = [join(dir, 'real'), join(dir, 'link')]
  mkdirSync(real)
  symlinkSync(real, link)
  expect(warehouseId(join(link, 'w'))).toBe(warehouseId(join(real, 'w')))
  expect(warehouseId(join(dir, 'other', 'w'))).not.toBe(warehouseId(join(real, 'w')))
})
