import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, inject, test } from 'vitest'
import type { Finding } from '../../../cli/doctor/finding.ts'
import { frozenClock } from '../../../config/clock.ts'
import { warehousePaths } from '../../../config/warehouse-paths.ts'
import type { WarehousePaths } from '../../../config/warehouse-paths.ts'
import { datasets } from '../../../datasets/index.ts'
import { openStore } from '../../../sinks/duckdb-store/open-store.ts'
import { runCaptured } from '../../parts/run-captured.ts'
import type { Captured } from '../../parts/run-captured.ts'
import { plainService } from './plain-service.ts'
import type { PlainAnswers } from './plain-service.ts'
import { tempDir } from '../../parts/temp-dir.ts'
import { askDuckdb } from '../../parts/duckdb.ts'
import { holdFile } from '../../parts/hold-file.ts'
import { keyId } from '../../../engine/queues.ts'
import { startOfMonthMs } from '../../../activities/month-count.ts'
import { freePort } from '../../../engine/server/free-port.ts'

const NOW_MS = Date.UTC(2026, 0, 15, 12)
const NO_JSON = { status: 200, body: '<html>Sign in to the hotel</html>', headers: {} }

/** A set-up in which all is well, to be broken in one place. */
interface SetUp {
  dir: string
  paths: WarehousePaths
  env: Record<string, string | undefined>
  /** What the service answers. */
  answers: PlainAnswers
  /** The text of coinlake.yaml, when it is not the usual one; null = there is no file. */
  yaml?: string | null
  keyLine: string
}

interface Broken {
  name: string
  breakIt: (setUp: SetUp) => Promise<void> | void
  /** The first thing that is told. */
  told: { about: string; verdict: 'fault' | 'warning'; code: string }
  says: RegExp
  exitCode: number
}

const BROKEN: Broken[] = [
  {
    name: 'no configuration file',
    breakIt: (setUp) => {
      setUp.yaml = null
    },
    told: { about: 'config', verdict: 'fault', code: 'CONFIG_NOT_FOUND' },
    says: /coinlake\.yaml/,
    exitCode: 2,
  },
  {
    name: 'a dataset that there is not',
    breakIt: (setUp) => {
      setUp.yaml = yamlOf('http://127.0.0.1:1').replace('coins:', 'market_charts:')
    },
    told: { about: 'config', verdict: 'fault', code: 'CONFIG_UNKNOWN_DATASET' },
    says: /coinlake\.yaml:5.*market_charts/,
    exitCode: 2,
  },
  {
    name: 'no key',
    breakIt: ({ env }) => {
      delete env['COINLAKE_API_KEY']
    },
    told: { about: 'key', verdict: 'fault', code: 'CONFIG_NO_KEY' },
    says: /env COINLAKE_API_KEY is not set/,
    exitCode: 2,
  },
  {
    name: 'a key that is refused',
    breakIt: ({ answers }) => {
      answers.key = 'another'
    },
    told: { about: 'source', verdict: 'fault', code: 'SOURCE_AUTH' },
    says: /401/,
    exitCode: 4,
  },
  {
    name: 'nobody listens at base_url',
    breakIt: async (setUp) => {
      setUp.yaml = yamlOf(`http://127.0.0.1:${await freePort()}`)
    },
    told: { about: 'source', verdict: 'fault', code: 'SOURCE_UNREACHABLE' },
    says: /127\.0\.0\.1/,
    exitCode: 4,
  },
  {
    name: 'a page of a hotel network answers',
    breakIt: ({ answers }) => {
      answers.always = NO_JSON
    },
    told: { about: 'source', verdict: 'fault', code: 'SOURCE_NOT_A_SERVICE' },
    says: /no JSON.*Check source\.base_url/s,
    exitCode: 4,
  },
  {
    name: 'the calls of the key are used up',
    breakIt: ({ answers }) => {
      answers.always = {
        status: 429,
        body: '{"error":"slow down"}',
        headers: { 'retry-after': '9' },
      }
    },
    told: { about: 'source', verdict: 'warning', code: 'SOURCE_THROTTLED' },
    says: /wait 9 s/,
    exitCode: 0,
  },
  {
    name: 'a clock that is an hour behind',
    breakIt: ({ answers }) => {
      answers.skewMs = 3_600_000
    },
    told: { about: 'clock', verdict: 'fault', code: 'CLOCK_SKEW' },
    says: /60 min behind/,
    exitCode: 1,
  },
  {
    name: 'one of two keys is refused',
    breakIt: (setUp) => {
      setUp.env['SECOND_KEY'] = 'revoked'
      delete setUp.env['COINLAKE_API_KEY']
      setUp.env['FIRST_KEY'] = 'a-key'
      setUp.keyLine = 'api_keys: ["${FIRST_KEY}", "${SECOND_KEY}"]'
    },
    told: { about: 'source 2/2', verdict: 'fault', code: 'SOURCE_AUTH' },
    says: /401/,
    exitCode: 4,
  },
  {
    name: 'the month of the key is used up',
    breakIt: (setUp) => {
      setUp.keyLine += ', monthly_calls: 2'
    },
    told: { about: 'month', verdict: 'fault', code: 'MONTH_USED_UP' },
    says: /2 calls made of 2.*source\.api_keys/s,
    exitCode: 3,
  },
  {
    name: 'no Temporal where TEMPORAL_ADDRESS says',
    breakIt: async ({ env }) => {
      env['TEMPORAL_ADDRESS'] = `127.0.0.1:${await freePort()}`
    },
    told: { about: 'temporal', verdict: 'fault', code: 'TEMPORAL_UNREACHABLE' },
    says: /TEMPORAL_ADDRESS/,
    exitCode: 1,
  },
  {
    name: 'a namespace that there is not',
    breakIt: ({ env }) => {
      env['TEMPORAL_NAMESPACE'] = 'prod'
    },
    told: { about: 'temporal', verdict: 'fault', code: 'TEMPORAL_NO_NAMESPACE' },
    says: /temporal operator namespace create prod/,
    exitCode: 1,
  },
  {
    name: 'a server binary that is none',
    breakIt: ({ env, dir }) => {
      const binary = join(dir, 'temporal')
      writeFileSync(binary, '#!/bin/sh\necho nothing\n')
      chmodSync(binary, 0o755)
      delete env['TEMPORAL_ADDRESS']
      env['COINLAKE_TEMPORAL_BINARY'] = binary
    },
    told: { about: 'temporal', verdict: 'fault', code: 'TEMPORAL_BINARY_UNUSABLE' },
    says: /Temporal CLI/,
    exitCode: 1,
  },
  {
    name: 'a file where the warehouse should be',
    breakIt: ({ paths }) => {
      writeFileSync(paths.root, 'notes')
    },
    told: { about: 'warehouse', verdict: 'fault', code: 'WAREHOUSE_NOT_WRITABLE' },
    says: /is a file, not a folder/,
    exitCode: 5,
  },
  {
    name: 'a run that was broken off',
    breakIt: ({ paths }) => {
      mkdirSync(paths.runsDir, { recursive: true })
      const begun = { runId: 'r-1', goOnWith: 'coinlake backfill --coins bitcoin' }
      writeFileSync(join(paths.stateDir, 'begun-run.json'), JSON.stringify(begun))
    },
    told: { about: 'warehouse', verdict: 'warning', code: 'RUN_BROKEN_OFF' },
    says: /Go on with: coinlake backfill --coins bitcoin|go on with: coinlake backfill --coins bitcoin/i,
    exitCode: 0,
  },
  {
    name: 'a store that is no DuckDB file',
    breakIt: ({ paths }) => {
      mkdirSync(paths.stateDir, { recursive: true })
      writeFileSync(paths.storeFile, 'x'.repeat(20_000))
    },
    told: { about: 'store', verdict: 'fault', code: 'STORE_NOT_DUCKDB' },
    says: /store\.duckdb/,
    exitCode: 5,
  },
  {
    name: "somebody else's DuckDB file as the store",
    breakIt: async ({ paths }) => {
      mkdirSync(paths.stateDir, { recursive: true })
      await askDuckdb(paths.storeFile, 'CREATE TABLE sales (id INTEGER)')
    },
    told: { about: 'store', verdict: 'fault', code: 'STORE_FOREIGN' },
    says: /sales/,
    exitCode: 5,
  },
  {
    name: 'a store that another program has open',
    breakIt: async ({ paths }) => {
      await makeStore(paths)
      await holdFile(paths.storeFile)
    },
    told: { about: 'store', verdict: 'fault', code: 'STORE_LOCKED' },
    says: /held by process \d+/,
    exitCode: 6,
  },
  {
    name: 'a store that is gone',
    breakIt: ({ paths }) => {
      mkdirSync(join(paths.stageDir, 'pages', 'a0'), { recursive: true })
      writeFileSync(join(paths.stageDir, 'pages', 'a0', `a0${'1'.repeat(18)}-g0-s0p1.page`), '')
    },
    told: { about: 'store', verdict: 'fault', code: 'STORE_GONE' },
    says: /stage\/pages[\s\S]*coinlake restore.*without a call/,
    exitCode: 5,
  },
  {
    name: 'a published file that was deleted',
    breakIt: ({ paths }) => {
      mkdirSync(paths.root, { recursive: true })
      symlinkSync('duckdb/gone.duckdb', paths.duckdbLink)
    },
    told: { about: 'duckdb', verdict: 'fault', code: 'PUBLICATION_GONE' },
    says: /gone\.duckdb/,
    exitCode: 5,
  },
  {
    name: 'a file of the Parquet tree that was deleted',
    breakIt: async ({ paths }) => {
      await makeStore(paths)
      mkdirSync(paths.parquetLink, { recursive: true })
      writeFileSync(join(paths.parquetLink, 'manifest.json'), JSON.stringify(MANIFEST_OF_ONE))
    },
    told: { about: 'parquet', verdict: 'fault', code: 'PUBLICATION_DAMAGED' },
    says: /1 file of .* coins\/all\.parquet/,
    exitCode: 5,
  },
]

const MANIFEST_OF_ONE = {
  generator: 'coinlake',
  format: 1,
  run_id: 'r',
  published_at: new Date(NOW_MS).toISOString(),
  coinlake_version: '0',
  schema_version: 1,
  files: [
    {
      path: 'coins/all.parquet',
      table: 'coins',
      month: 'all',
      rows: 1,
      size_bytes: 9,
      sha256: '',
      load_id: 0,
      definition: '',
      min: {},
      max: {},
    },
  ],
  vanished: [],
}

test.for(BROKEN)(
  '$name: named first, with what to do',
  async ({ breakIt, told, says, exitCode }) => {
    const { json, text } = await doctorOn(breakIt)
    const findings = JSON.parse(json.stdout) as Finding[]
    const [first] = findings.filter(({ verdict }) => verdict === 'fault' || verdict === 'warning')
    expect(first).toMatchObject(told)
    expect(`${first?.what}\n${first?.hint}`).toMatch(says)
    expect(first?.hint).not.toBe('')
    expect(text.stdout).toContain(`[${told.code}]`)
    expect(text.stdout).toMatch(says)
    expect([json.exitCode, text.exitCode]).toEqual([exitCode, exitCode])
    expect(json.stderr + text.stderr).toBe('')
  },
)

test.for(['{"status":"OK"}', '{"gecko_says":"(V3) To the Moon!"}'])(
  'a set-up in order, whose ping says %s: every look says so, two calls, nothing is made',
  async (ping) => {
    const { json, text, calls } = await doctorOn(({ answers }) => {
      answers.ping = ping
    })
    const findings = JSON.parse(json.stdout) as Finding[]
    expect(findings.filter(({ verdict }) => verdict !== 'ok')).toEqual([])
    const looked =
      'versions config key source clock month temporal warehouse disk store duckdb parquet'
    expect(findings.map(({ about }) => about)).toEqual(looked.split(' '))
    expect(text.stdout).toMatch(/All well: a run can be made\.\n$/)
    expect(json.exitCode).toBe(0)
    // Twice two: the set-up was looked at twice.
    expect(calls).toBe(4)
  },
)

test('a month without a call left is asked for none', async () => {
  const { text, calls } = await doctorOn((setUp) => {
    mkdirSync(setUp.paths.stateDir, { recursive: true })
    setUp.keyLine += ', monthly_calls: 2'
  })
  // The first of two looks made them.
  expect(calls).toBe(2)
  expect(text.stdout).toMatch(/^- +source +the month of this key has no call left$/m)
})

test('a key whose month is spent is not asked with', async () => {
  const service = await plainService({ nowMs: NOW_MS, key: 'a-key' })
  const { json } = await doctorOn((setUp) => {
    const keys = 'api_keys: ["${SPENT_KEY}", "${GOOD_KEY}"], monthly_calls: 9'
    setUp.yaml = yamlOf(service.url, keys)
    delete setUp.env['COINLAKE_API_KEY']
    Object.assign(setUp.env, { SPENT_KEY: 'spent', GOOD_KEY: 'a-key' })
    const { stateDir } = setUp.paths
    mkdirSync(stateDir, { recursive: true })
    const ofKey = keyId('spent', service.url)
    const count = { keyId: ofKey, monthStartsAtMs: startOfMonthMs(Date.now()), used: 9 }
    writeFileSync(join(stateDir, `month.${ofKey}.json`), JSON.stringify(count))
  })
  const findings = JSON.parse(json.stdout) as Finding[]
  expect(findings.filter(({ about }) => about.startsWith('source'))).toMatchObject([
    { verdict: 'skipped', what: 'the month of this key has no call left' },
    { verdict: 'ok' },
  ])
  const month = findings.find(({ about }) => about === 'month')
  expect(month?.what).toBe('11 calls made of 18')
  // Twice two: the set-up was looked at twice.
  expect([service.calls(), json.exitCode]).toEqual([4, 0])
})

/** Breaks a set-up that is in order, and has it looked at as text and as JSON. */
async function doctorOn(
  breakIt: Broken['breakIt'],
): Promise<{ json: Captured; text: Captured; calls: number }> {
  const dir = tempDir()
  const temporal = inject('temporal')
  const setUp: SetUp = {
    dir,
    paths: warehousePaths(join(dir, 'warehouse')),
    env: {
      HOME: process.env['HOME'],
      PATH: process.env['PATH'],
      COINLAKE_API_KEY: 'a-key',
      TEMPORAL_ADDRESS: temporal.address,
      TEMPORAL_NAMESPACE: temporal.namespace,
    },
    answers: { nowMs: NOW_MS, key: 'a-key' },
    keyLine: KEY_LINE,
  }
  await breakIt(setUp)
  const service = await plainService(setUp.answers)
  const yaml = setUp.yaml === undefined ? yamlOf(service.url, setUp.keyLine) : setUp.yaml
  if (yaml !== null) writeFileSync(join(dir, 'coinlake.yaml'), yaml)
  const effects = { cwd: dir, env: setUp.env, clock: frozenClock(NOW_MS) }
  const json = await runCaptured(['doctor', '--json'], effects)
  const text = await runCaptured(['doctor'], effects)
  return { json, text, calls: service.calls() }
}

const KEY_LINE = 'api_key: "${COINLAKE_API_KEY}"'

function yamlOf(url: string, keyLine = KEY_LINE): string {
  return [
    `source: { base_url: "${url}", timeout: 5s, ${keyLine} }`,
    'warehouse: ./warehouse',
    'sinks: [duckdb, parquet]',
    'datasets:',
    '  coins: {}',
    '',
  ].join('\n')
}

async function makeStore({ storeFile: file }: WarehousePaths): Promise<void> {
  const clock = frozenClock(NOW_MS)
  const store = await openStore({ file, datasets, coinlakeVersion: '0', clock })
  await store.close()
}
