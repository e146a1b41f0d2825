import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { encodeRecord } from '../../stage/page-record.ts'
import type { StagedPage } from '../../stage/page-stage.ts'
import { preparedWarehouse } from '../parts/prepared-warehouse.ts'
import type { PreparedWarehouse } from '../parts/prepared-warehouse.ts'

const DAY_MS = 86_400_000
const BODY_BYTES = 1_000

/** Puts a page into the stage as a load or a broken run leaves it. */
function putPage(
  { paths }: PreparedWarehouse,
  { sliceId, ageDays, isLoaded }: { sliceId: string; ageDays: number; isLoaded: boolean },
): string {
  const folder = join(paths.stageDir, 'pages', sliceId.slice(0, 2), `${sliceId}-g0`)
  const raw = { name: 's0p1.00000000.raw.zst', sizeBytes: BODY_BYTES, sha256: '' }
  const key = { sliceId, generation: 0, step: 0, page: 1 }
  const facts = { key, requestedAtMs: Date.now() - ageDays * DAY_MS, raw, tables: [], next: null }
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, raw.name), Buffer.alloc(BODY_BYTES))
  const record = encodeRecord(facts as unknown as StagedPage)
  writeFileSync(join(folder, isLoaded ? 's0p1.loaded.json' : 's0p1.json'), record)
  return folder
}

interface Told {
  isDryRun: boolean
  files: number
  pruned: { what: string; files: number; sizeBytes: number }[]
}

test('what has outlived its time goes, and nothing else; a dry run only says so', async () => {
  const warehouse = await preparedWarehouse(['duckdb'])
  const { paths, dir } = warehouse
  const ids = ['a', 'b', 'c', 'd'].map((digit) => digit.repeat(20))
  const [oldLoaded, newLoaded, abandoned, waiting] = [
    putPage(warehouse, { sliceId: ids[0]!, ageDays: 40, isLoaded: true }),
    putPage(warehouse, { sliceId: ids[1]!, ageDays: 5, isLoaded: true }),
    putPage(warehouse, { sliceId: ids[2]!, ageDays: 31, isLoaded: false }),
    putPage(warehouse, { sliceId: ids[3]!, ageDays: 1, isLoaded: false }),
  ]
  const day = (ageDays: number): string =>
    `coinlake-${new Date(Date.now() - ageDays * DAY_MS).toISOString().slice(0, 10)}.log`
  mkdirSync(paths.logsDir, { recursive: true })
  for (const name of [day(40), day(3), 'notes.txt']) writeFileSync(join(paths.logsDir, name), '{}')
  const prune = async (...argv: string[]): Promise<Told> => {
    const { exitCode, stdout, stderr } = await warehouse.run('prune', '--json', ...argv)
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
    return JSON.parse(stdout) as Told
  }

  // Answers are kept for ever unless it is said otherwise.
  const usual = await prune('--dry-run')
  expect(usual.pruned.map(({ what }) => what).toSorted()).toEqual(['abandoned', 'log'])

  writeFileSync(
    join(dir, 'keep.yaml'),
    'source: { base_url: "http://127.0.0.1:9" }\nstage: { keep: 30d }\ndatasets: { coins: {} }\n',
  )
  const dry = await prune('--dry-run', '-c', 'keep.yaml')
  expect(dry).toMatchObject({ isDryRun: true, files: 5 })
  for (const folder of [oldLoaded, newLoaded, abandoned, waiting])
    expect(existsSync(folder)).toBe(true)
  const done = await prune('-c', 'keep.yaml')
  expect(done).toEqual({ ...dry, isDryRun: false })
  const answers = done.pruned.find(({ what }) => what === 'kept_long_enough')
  expect(answers).toMatchObject({ files: 2 })
  expect(answers?.sizeBytes).toBeGreaterThan(BODY_BYTES)
  expect([oldLoaded, abandoned].map((folder) => existsSync(folder))).toEqual([false, false])
  expect([newLoaded, waiting].map((folder) => existsSync(folder))).toEqual([true, true])
  expect(readdirSync(paths.logsDir).toSorted()).toEqual([day(3), 'notes.txt'].toSorted())
  expect(existsSync(dirname(oldLoaded))).toBe(false)

  const nothing = await warehouse.run('prune', '-c', 'keep.yaml')
  expect(nothing.stdout).toBe('nothing to prune\n')
  const query = await warehouse.run(
    'query',
    'select count(*) as n from market_chart',
    '--format',
    'csv',
  )
  expect(query.stdout).toContain('13')
})
