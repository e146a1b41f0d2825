import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { goneStoreError } from '../../../cli/ledger/lost-store.ts'
import { warehousePaths } from '../../../config/warehouse-paths.ts'
import { tempDir } from '../../parts/temp-dir.ts'

test('a restore that was killed after it had moved all aside is named, and goes on', () => {
  const paths = warehousePaths(join(tempDir(), 'warehouse'))
  mkdirSync(paths.stateDir, { recursive: true })
  expect(goneStoreError(paths)).toBeNull()
  writeFileSync(`${paths.storeFile}.restoring`, 'a store')
  expect(goneStoreError(paths)).toMatchObject({
    code: 'STORE_GONE',
    hint: expect.stringContaining('run the same `coinlake restore` again') as string,
  })
})
