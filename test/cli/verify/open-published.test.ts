import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { isDamage, checkPublishedBytes } from '../../../cli/verify/check-published-bytes.ts'
import { warehousePaths } from '../../../config/warehouse-paths.ts'
import { runCaptured } from '../../parts/run-captured.ts'
import { tinyWarehouse } from '../../parts/tiny-warehouse.ts'
import { tempDir } from '../../parts/temp-dir.ts'
import { askDuckdb } from '../../parts/duckdb.ts'

const duckdb = await tinyWarehouse('duckdb', afterAll)
const parquet = await tinyWarehouse('parquet', afterAll)
const dir = tempDir(afterAll)

const ask = (path: string) =>
  runCaptured(['query', '-w', path, 'select count(*) > 0 as has_rows from market_chart'])

test('the folder and the published file mean the same', async () => {
  for (const path of [duckdb.root, duckdb.duckdbLink, parquet.root]) {
    expect(await ask(path)).toMatchObject({ exitCode: 0, stdout: 'has_rows\ntrue\n', stderr: '' })
  }
})

async function refused(path: string): Promise<string> {
  const { exitCode, stdout, stderr } = await ask(path)
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' })
  expect(stderr).toMatch(/^error\[\w+\]: .*\n {2}hint: .*\n$/)
  expect(stderr).toContain(path)
  return stderr
}

test('a file that is no DuckDB, and a path through a file', async () => {
  const file = join(dir, 'text')
  await writeFile(file, 'no database')
  expect(await refused(file)).toContain('error[WAREHOUSE_NOT_DUCKDB]')
  expect(await refused(join(file, 'sub'))).toContain('error[NO_PUBLICATION]')
})

test('a publication that was overwritten', async () => {
  const { root, duckdbLink } = warehousePaths(join(dir, 'overwritten'))
  await mkdir(root)
  await writeFile(duckdbLink, 'no database')
  const stderr = await refused(root)
  expect(stderr).toContain('error[WAREHOUSE_NOT_DUCKDB]')
  expect(stderr).toContain('`coinlake verify --repair`')
})

test('a file that cannot be opened is damaged only if its bytes are', async () => {
  const { root, duckdbLink } = warehousePaths(join(dir, 'unreadable'))
  await mkdir(root)
  // Without force_mbedtls_unsafe DuckDB writes no encrypted file unless an extension is loaded.
  await askDuckdb(
    ':memory:',
    `SET force_mbedtls_unsafe = true; ATTACH '${duckdbLink}' AS locked (ENCRYPTION_KEY 'key');
     DETACH locked`,
  )
  const locked = await refused(root)
  expect(locked).toContain('error[WAREHOUSE_UNREADABLE]')
  expect(locked).not.toContain('verify --repair')
  const read = checkPublishedBytes(warehousePaths(root), 'duckdb', 0)
  expect(isDamage(await read.catch((error: unknown) => error))).toBe(false)

  const bytes = await readFile(duckdb.duckdbLink)
  bytes[100]! ^= 1
  await writeFile(duckdbLink, bytes)
  const bent = await refused(root)
  expect(bent).toContain('error[PUBLICATION_DAMAGED]')
  expect(bent).toContain('`coinlake verify --repair`')
})

test('a Parquet tree that lacks a file', async () => {
  const { root, parquetLink } = parquet
  const [name = ''] = await readdir(join(parquetLink, 'market_chart'))
  await rm(join(parquetLink, 'market_chart', name))
  const stderr = await refused(root)
  expect(stderr).toContain('error[PUBLICATION_DAMAGED]')
  expect(stderr).toContain(`market_chart/${name}`)
})
