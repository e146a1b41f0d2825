import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { openTestStore } from './open-test-store.ts'
import { runChild } from './run-child.ts'
import { tempFolder } from './temp-folder.ts'

const temp = tempFolder()
const SIZE = { slices: 3, rows: 3_000 }

/** All that a load writes. Clocks stand still in the child, so two stores can be compared whole. */
async function contents(file: string): Promise<Record<string, unknown>> {
  const store = await openTestStore(file)
  const tables = [
    '_slices',
    '_loads',
    '_requests',
    '_partitions',
    '_revisions',
    '_runs',
    '_coverage',
  ]
  const found: Record<string, unknown> = {}
  for (const table of tables) {
    found[table] = await store.query(`SELECT * FROM ${table} ORDER BY ALL`)
  }
  found['ticks'] = await store.query(
    'SELECT count(*) AS rows, sum(price) AS price, bit_xor(hash(ticks)) AS hash FROM ticks',
  )
  await store.close()
  return found
}

/** What an undisturbed load of the same slices leaves; the same for every test. */
let undisturbed: Record<string, unknown> = {}
beforeAll(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'coinlake-store-'))
  const file = join(folder, 'store.duckdb')
  expect(await runChild(file, SIZE)).toMatchObject({ code: 0 })
  undisturbed = await contents(file)
  rmSync(folder, { recursive: true })
})

test.each([
  ['load.begin.after', false],
  ['load.rows.after', false],
  ['load.commit.before', false],
  ['load.commit.after', true],
])(
  'killed at %s: all or nothing, and the same command again ends as undisturbed',
  async (point, all) => {
    const file = temp.path('killed/store.duckdb')
    const log = temp.path('crash.log')
    const env = { COINLAKE_CRASH_AT: point, COINLAKE_CRASH_LOG: log }
    expect(await runChild(file, SIZE, { env })).toMatchObject({ signal: 'SIGKILL' })
    expect(readFileSync(log, 'utf8')).toContain(point)

    const killed = await contents(file)
    expect(killed['ticks']).toMatchObject([{ rows: all ? 9_000 : 0 }])
    expect(killed['_slices']).toMatchObject(
      Array.from({ length: 3 }, () => ({ state: all ? 'loaded' : 'planned' })),
    )

    const again = await runChild(file, SIZE)
    expect(JSON.parse(again.stdout)).toMatchObject({ slices: all ? 0 : 3 })
    expect(await contents(file)).toEqual(undisturbed)
  },
)

test('a full disk is one clear error, changes nothing, and the same command again finishes', async () => {
  const file = temp.path('full/store.duckdb')
  const size = { slices: 20, rows: 20_000 }
  const full = await runChild(file, size, { fileBlocks: 2_500 })
  expect(JSON.parse(full.stdout)).toMatchObject({ code: 'STORE_DISK_FULL', exitCode: 5 })
  expect((await contents(file))['ticks']).toMatchObject([{ rows: 0 }])
  expect(JSON.parse((await runChild(file, size)).stdout)).toMatchObject({ rowsInserted: 400_000 })
  expect(existsSync(`${file}.wal`)).toBe(false)
})
