import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { pagePath } from '../../stage/page-path.ts'
import { preparedWarehouse, type PreparedWarehouse } from '../parts/prepared-warehouse.ts'

const DAY_MS = 86_400_000
const BODY_BYTES = 1_000

/** Puts a page of this age into the stage; expiry looks at its name and time alone. */
function putPage({ paths }: PreparedWarehouse, sliceId: string, ageDays: number): string {
  const file = join(paths.stageDir, pagePath({ sliceId, generation: 0, step: 0, page: 1 }))
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, Buffer.alloc(BODY_BYTES))
  const at = new Date(Date.now() - ageDays * DAY_MS)
  utimesSync(file, at, at)
  return file
}

const ledgerRow = (sliceId: string, state: string): string =>
  `INSERT INTO _slices BY NAME SELECT 'r1' AS run_id, '${sliceId}' AS slice_id, 0 AS generation, '${state}' AS state,
     0 AS ordinal, 'market_chart' AS dataset, 'bitcoin' AS entity, 'usd' AS vs_currency, '1d' AS granularity,
     now() AS from_at, now() AS to_at, now() AS planned_at, now() AS updated_at`

interface Told {
  isDryRun: boolean
  files: number
  pruned: { what: string; files: number; sizeBytes: number }[]
}

test('what has outlived its time goes, and nothing else; a dry run only says so', async () => {
  const ids = ['a', 'b', 'c', 'd'].map((digit) => digit.repeat(20))
  const states = ['loaded', 'empty', 'planned', 'failed']
  const rows = ids.map((id, place) => ledgerRow(id, states[place]!))
  const warehouse = await preparedWarehouse(['duckdb'], rows)
  const { paths, dir } = warehouse
  const [oldLoaded, newLoaded, abandoned, waiting] = [
    putPage(warehouse, ids[0]!, 40),
    putPage(warehouse, ids[1]!, 5),
    putPage(warehouse, ids[2]!, 31),
    putPage(warehouse, ids[3]!, 1),
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
  expect(dry).toMatchObject({ isDryRun: true, files: 3 })
  for (const file of [oldLoaded, newLoaded, abandoned, waiting]) expect(existsSync(file)).toBe(true)
  const done = await prune('-c', 'keep.yaml')
  expect(done).toEqual({ ...dry, isDryRun: false })
  const answers = done.pruned.find(({ what }) => what === 'kept_long_enough')
  expect(answers).toMatchObject({ files: 1, sizeBytes: BODY_BYTES })
  expect([oldLoaded, abandoned].map((file) => existsSync(file))).toEqual([false, false])
  expect([newLoaded, waiting].map((file) => existsSync(file))).toEqual([true, true])
  expect(readdirSync(paths.logsDir).toSorted()).toEqual([day(3), 'notes.txt'].toSorted())

  const nothing = await warehouse.run('prune', '-c', 'keep.yaml')
  expect(nothing.stdout).toBe('nothing to prune\n')
})
