import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { findingOf } from '../../../cli/doctor/finding.ts'
import { lookAtPublications } from '../../../cli/doctor/look-at-publications.ts'
import { lookAtStore } from '../../../cli/doctor/look-at-store.ts'
import { frozenClock } from '../../../config/clock.ts'
import { loadConfig } from '../../../config/load-config.ts'
import { datasets } from '../../../datasets/index.ts'
import { inDuckdb } from '../../parts/duckdb.ts'
import { APRIL_MS, openMarketWarehouse } from '../../parts/market-warehouse.ts'
import { randomOf } from '../../parts/random-of.ts'
import type { Warehouse } from '../../parts/proof-warehouse.ts'

const LINES = [
  'market_chart: { coins: [bitcoin, ethereum], granularity: daily, from: 2024-03-20, to: 2024-04-01 }',
  'exchange_rates: {}',
]
const IS_BIG = process.env['COINLAKE_TEST_BIG'] === '1'
/** For each of the four places. */
const FLIPS = IS_BIG ? 50 : 3

/** Files of each place that may rot. */
function filesOf(paths: Warehouse['paths'], place: Place): string[] {
  const deep = (dir: string): string[] =>
    readdirSync(dir, { recursive: true, encoding: 'utf8' })
      .map((name) => join(dir, name))
      .filter((file) => statSync(file).isFile())
  if (place === 'store') return [paths.storeFile]
  if (place === 'duckdb') return [realpathSync(paths.duckdbLink)]
  if (place === 'stage') return deep(join(paths.stageDir, 'pages'))
  return deep(realpathSync(paths.parquetLink)).filter((file) => !file.endsWith('.sql'))
}

/** The command that `verify` names for each. */
const MENDS = {
  store: '`coinlake restore` moves',
  duckdb: '`coinlake verify --repair` publishes it anew',
  parquet: '`coinlake verify --repair` publishes it anew',
  stage: '`coinlake verify --repair` moves damaged answers aside',
} as const

type Place = keyof typeof MENDS

/** Flips one bit, with the file's time kept. */
function flip(file: string, random: () => number): string {
  const bytes = readFileSync(file)
  const at = Math.floor(random() * bytes.length)
  bytes[at]! ^= 1 << Math.floor(random() * 8)
  const times = `${file}.times`
  execFileSync('touch', ['-r', file, times])
  rmSync(file)
  writeFileSync(file, bytes)
  execFileSync('touch', ['-r', times, file])
  rmSync(times)
  return `byte ${at} of ${file}`
}

/** All tables as a separate DuckDB reads them; null = it cannot. */
async function rowsIn(file: string): Promise<string | null> {
  try {
    return await inDuckdb(
      file,
      async (connection) => {
        const read = async (sql: string) => (await connection.runAndReadAll(sql)).getRows()
        const names = await read(
          `SELECT format('"{}"."{}"', schema_name, table_name) FROM duckdb_tables() WHERE NOT internal ORDER BY ALL`,
        )
        const found = []
        for (const [name] of names) {
          const facts = await read(`SELECT count(*), bit_xor(hash(t)) FROM ${String(name)} t`)
          found.push([name, ...facts].join(' '))
        }
        return found.join()
      },
      'READ_ONLY',
    )
  } catch {
    return null
  }
}

test(
  'of bytes that are flipped nothing says ok where rows differ, nothing asks for what is there, and the command that is named mends',
  { timeout: IS_BIG ? 3_600_000 : 300_000 },
  async () => {
    const { served, warehouse } = await openMarketWarehouse({ moving: false })
    const { paths, run } = warehouse
    await warehouse.export(LINES)
    const filled = `${paths.root}-filled`
    execFileSync('cp', ['-a', paths.root, filled])
    const sound = { store: await rowsIn(paths.storeFile), duckdb: await rowsIn(paths.duckdbLink) }
    const random = randomOf(19)
    const told: Record<string, number> = {}
    const clock = frozenClock(APRIL_MS)
    const file = join(dirname(paths.root), 'coinlake.yaml')
    const config = loadConfig({ file, env: { COINLAKE_API_KEY: 'any' }, datasets })
    for (const place of ['store', 'duckdb', 'parquet', 'stage'] as const) {
      for (let nth = 0; nth < FLIPS; nth += 1) {
        rmSync(paths.root, { recursive: true })
        execFileSync('cp', ['-a', filled, paths.root])
        const files = filesOf(paths, place)
        const file = files[Math.floor(random() * files.length)]!
        const what = flip(file, random)
        // Other facts of a manifest may be bent without a row that differs: then either word is right.
        const isSame = {
          store: async () => (await rowsIn(paths.storeFile)) === sound.store,
          duckdb: async () => (await rowsIn(paths.duckdbLink)) === sound.duckdb,
          parquet: async () => (file.endsWith('.parquet') ? false : null),
          stage: async () => false,
        }
        const same = await isSame[place]()
        const found = [
          await findingOf('store', () => lookAtStore(config, clock, null)),
          ...(await lookAtPublications(paths, ['duckdb', 'parquet'])),
        ].find(({ about }) => about === place)
        const verified = await run('verify')
        const said = { doctor: found?.code ?? null, verify: verified.exitCode }
        const key = `${place}${same === true ? ', nothing differs' : ''}: ${JSON.stringify(said)}`
        told[key] = (told[key] ?? 0) + 1
        if (same !== null) {
          const doctor = same || place === 'stage' ? null : expect.any(String)
          expect(said, what).toEqual({ doctor, verify: same ? 0 : 1 })
          expect(verified.stdout, what).toContain(same ? 'no difference' : MENDS[place])
        }
        if (nth > 0 && !IS_BIG) continue
        const calls = served.log.length
        const backfilled = await run('backfill', '--json')
        if (place === 'store' && same !== true) {
          expect(backfilled.exitCode, what).toBe(5)
          expect(backfilled.stderr, what).toMatch(/error\[STORE_[\s\S]*hint: `coinlake restore`/)
          expect((await run('restore')).stdout, what).toMatch(/0 calls[\s\S]*the other one is now/)
          expect((await run('backfill', '--json')).exitCode, what).toBe(0)
        } else {
          expect(backfilled.exitCode, what).toBe(0)
          if (place === 'duckdb' && same !== true) {
            expect(backfilled.stderr, what).toContain('this run publishes it again')
          }
        }
        expect((await run('verify', '--repair')).exitCode, what).toBe(0)
        expect(await run('verify'), what).toMatchObject({
          exitCode: 0,
          stdout: expect.stringContaining('no difference'),
        })
        expect(await rowsIn(paths.storeFile), what).not.toBe(null)
        expect(served.log.length - calls, what).toBe(0)
      }
    }
    console.log(told)
  },
)
