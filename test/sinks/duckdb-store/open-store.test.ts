import { createHash } from 'node:crypto'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { openTestStore, planEach } from './open-test-store.ts'
import { setStorageVersion } from './storage-version.ts'
import { tempFolder } from './temp-folder.ts'
import { askDuckdb } from '../../parts/duckdb.ts'
import { holdFile } from '../../parts/hold-file.ts'

const temp = tempFolder()

function sha256(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex')
}

async function newStore(name: string): Promise<string> {
  const file = temp.path(name)
  const store = await openTestStore(file)
  await planEach(store)
  await store.close()
  return file
}

test('a file that another process is making is opened once its first bytes are there', async () => {
  const made = await newStore('made.duckdb')
  const file = temp.path('being-made.duckdb')
  writeFileSync(file, '')
  const opening = openTestStore(file)
  setTimeout(() => copyFileSync(made, file), 100)
  await (await opening).close()
})

/** Files that a store is not opened in, each made of a new store. */
const REFUSED: [string, string, (file: string) => unknown][] = [
  [
    'a file that is no DuckDB',
    'STORE_NOT_DUCKDB',
    (file) => writeFileSync(file, 'not a database\n'.repeat(1_000)),
  ],
  ['an empty file', 'STORE_NOT_DUCKDB', (file) => writeFileSync(file, '')],
  ['a file cut short', 'STORE_NOT_DUCKDB', (file) => truncateSync(file, 5_000)],
  ['a store of a newer DuckDB', 'STORE_TOO_NEW', (file) => setStorageVersion(file, 69)],
  [
    'a DuckDB file with other tables',
    'STORE_FOREIGN',
    async (file) => {
      rmSync(file)
      await askDuckdb(file, 'CREATE TABLE mine AS SELECT 42 AS answer')
    },
  ],
  [
    'a store of another schema version',
    'STORE_SCHEMA_NEWER',
    (file) => askDuckdb(file, `INSERT INTO _schema_versions VALUES (2, now(), 'new', '9.9.9')`),
  ],
  [
    'a column of another type',
    'STORE_SCHEMA_CHANGED',
    (file) => askDuckdb(file, 'ALTER TABLE ticks ALTER price TYPE VARCHAR'),
  ],
  [
    'a key column missing',
    'STORE_SCHEMA_CHANGED',
    (file) => askDuckdb(file, 'ALTER TABLE ticks DROP COLUMN granularity'),
  ],
]

test.each(REFUSED)('refuses %s with %s and leaves it as it was', async (_name, code, bend) => {
  const file = await newStore('refused')
  await bend(file)
  const before = sha256(file)
  const { mode } = statSync(file)
  const message = expect.stringContaining(file) as unknown
  await expect(openTestStore(file)).rejects.toMatchObject({ code, exitCode: 5, message })
  expect(sha256(file)).toBe(before)
  expect(statSync(file).mode).toBe(mode)
  expect(existsSync(`${file}.wal`)).toBe(false)
})

test('refuses a folder', async () => {
  mkdirSync(temp.path('folder'))
  await expect(openTestStore(temp.path('folder'))).rejects.toMatchObject({
    code: 'STORE_IS_FOLDER',
  })
})

test('refuses a path through a file', async () => {
  writeFileSync(temp.path('file'), 'x')
  const file = join(temp.path('file'), 'state', 'store.duckdb')
  await expect(openTestStore(file)).rejects.toMatchObject({ code: 'STORE_PATH', exitCode: 5 })
})

test('refuses a folder that cannot be written', async (context) => {
  // Root writes anywhere but into the kernel's own file systems.
  const folder = process.getuid?.() === 0 ? '/sys/kernel/coinlake' : temp.path('locked')
  if (process.getuid?.() !== 0) mkdirSync(folder, { mode: 0o555 })
  else if (process.platform !== 'linux') context.skip('root may write every folder here')
  const file = join(folder, 'state', 'store.duckdb')
  await expect(openTestStore(file)).rejects.toMatchObject({ code: 'STORE_NOT_WRITABLE' })
})

test.each(['removed', 'replaced'])(
  'writes nothing into a file that was %s meanwhile',
  async (how) => {
    const file = temp.path(how)
    const store = await openTestStore(file)
    rmSync(file)
    if (how === 'replaced') writeFileSync(file, 'another')
    await expect(planEach(store)).rejects.toMatchObject({ code: 'STORE_GONE' })
    await store.close()
  },
)

test('knows a file that was replaced before it was opened a second time', async () => {
  const file = await newStore('replaced-between')
  const first = await openTestStore(file)
  copyFileSync(file, `${file}.copy`)
  renameSync(`${file}.copy`, file)
  // DuckDB gives the second store the file of the first.
  await expect(openTestStore(file)).rejects.toMatchObject({ code: 'STORE_GONE' })
  await expect(planEach(first)).rejects.toMatchObject({ code: 'STORE_GONE' })
  await first.close()
  await (await openTestStore(file)).close()
})

test('says why nobody can tell whether the file is there', async () => {
  const file = await newStore('lost/store.duckdb')
  const store = await openTestStore(file)
  rmSync(temp.path('lost'), { recursive: true })
  symlinkSync('lost', temp.path('lost'))
  await expect(planEach(store)).rejects.toMatchObject({
    code: 'STORE_FAILED',
    message: expect.stringMatching(/^cannot look at the store .*store\.duckdb: ELOOP/) as string,
  })
  await store.close()
})

test('names the process that holds the store', async () => {
  const file = await newStore('state/store.duckdb')
  const holder = await holdFile(file)
  // The message shows the first 160 characters, and a checkout may have a longer path.
  const command = process.platform === 'linux' ? holder.command.slice(0, 160) : ''
  await expect(openTestStore(file)).rejects.toMatchObject({
    code: 'STORE_LOCKED',
    message: expect.stringContaining(`process ${holder.pid} (${command}`) as string,
    hint: expect.stringContaining(`${holder.pid}`) as string,
  })
  await holder.release()
  await (await openTestStore(file)).close()
})

describe('what it makes', () => {
  test('a private file in a private folder, readable by DuckDB 1.0, without leftovers', async () => {
    const file = await newStore('deep/state/store.duckdb')
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(statSync(join(file, '..')).mode & 0o777).toBe(0o700)
    expect(readFileSync(file).subarray(8, 16).toString('hex')).toBe('4455434b40000000')
    expect(existsSync(`${file}.wal`)).toBe(false)
  })

  test('opening again changes no byte', async () => {
    const file = await newStore('same')
    const before = sha256(file)
    await (await openTestStore(file)).close()
    expect(sha256(file)).toBe(before)
  })

  test('two stores on one file in one process lose nothing', async () => {
    const file = temp.path('shared')
    const [one, two] = [await openTestStore(file), await openTestStore(join(file, '..', 'shared'))]
    const freeze = async (index: number) => {
      await (index % 2 ? one : two).freezeUniverse(`top:${index}`, ['a', 'b'], index)
    }
    await Promise.all(Array.from({ length: 40 }, async (_, index) => await freeze(index)))
    await one.close()
    expect(await two.query('SELECT count(*) AS rows FROM _universes')).toEqual([{ rows: 80 }])
    await two.close()
    await two.close()
  })

  test('times mean UTC whatever the zone of the machine', async () => {
    const store = await openTestStore(temp.path('zone'))
    expect(await store.query("SELECT current_setting('TimeZone') AS zone")).toEqual([
      { zone: 'UTC' },
    ])
    const connection = await store.connect()
    const reader = await connection.runAndReadAll("SELECT current_setting('TimeZone')")
    expect(reader.getRows()).toEqual([['UTC']])
    connection.closeSync()
    await store.close()
  })
})
