import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, inject, test } from 'vitest'
import { startOfMonthMs } from '../../../api/month-gate.ts'
import type { Finding } from '../../../cli/doctor/finding.ts'
import { frozenClock } from '../../../config/clock.ts'
import { warehousePaths, type WarehousePaths } from '../../../config/warehouse-paths.ts'
import { datasets } from '../../../datasets/index.ts'
import { openStore } from '../../../sinks/duckdb-store/open-store.ts'
import { type Captured, runCaptured } from '../../parts/run-captured.ts'
import { type PlainAnswers, plainService } from './plain-service.ts'
import { tempDir } from '../../parts/temp-dir.ts'
import { holdFile } from '../../parts/hold-file.ts'
import { keyId } from '../../../engine/queues.ts'
import { freePort } from '../../../engine/server/free-port.ts'

const NOW_MS = Date.UTC(2026, 0, 15, 12)
const NO_JSON = { status: 200, body: '<html>Sign in to the hotel</html>', headers: {} }

/** A set-up in which all is well, to be broken in one place. */
interface SetUp {
  dir: string
  paths: WarehousePaths
  env: Record<string, string | undefined>
  /** The answers of the service. */
  answers: PlainAnswers
  /** The text of coinlake.yaml, when it is not the usual one; null = there is no file. */
  yaml?: string | null
  keyLine: string
}

type Broken = readonly [
  name: string,
  breakIt: (setUp: SetUp) => Promise<void> | void,
  /** The first thing that is told: about what, its verdict and code. */
  told: string,
  says: RegExp,
  exitCode: number,
]

const BROKEN: readonly Broken[] = [
  [
    'no configuration file',
    (setUp) => void (setUp.yaml = null),
    'config: fault CONFIG_NOT_FOUND',
    /coinlake\.yaml/,
    2,
  ],
  [
    'a dataset that there is not',
    (setUp) => void (setUp.yaml = yamlOf('http://127.0.0.1:1').replace('coins:', 'market_charts:')),
    'config: fault CONFIG_UNKNOWN_DATASET',
    /coinlake\.yaml:5.*market_charts/,
    2,
  ],
  [
    'an order without a start',
    (setUp) => {
      const order = 'market_chart: { coins: [bitcoin], granularity: hourly }'
      setUp.yaml = yamlOf('http://127.0.0.1:1').replace('coins: {}', order)
    },
    'config: warning CONFIG_MISSING',
    /coinlake\.yaml:5: datasets\.market_chart does not say `from`.*--from/s,
    4,
  ],
  [
    'no key',
    ({ env }) => void delete env['COINLAKE_API_KEY'],
    'key: fault CONFIG_NO_KEY',
    /env COINLAKE_API_KEY is not set/,
    2,
  ],
  [
    'a key that is refused',
    ({ answers }) => void (answers.key = 'another'),
    'source: fault SOURCE_AUTH',
    /401/,
    4,
  ],
  [
    'nobody listens at base_url',
    async (setUp) => void (setUp.yaml = yamlOf(`http://127.0.0.1:${await freePort()}`)),
    'source: fault SOURCE_UNREACHABLE',
    /127\.0\.0\.1/,
    4,
  ],
  [
    'a page of a hotel network answers',
    ({ answers }) => void (answers.always = NO_JSON),
    'source: fault SOURCE_NOT_A_SERVICE',
    /no JSON.*Check source\.base_url/s,
    4,
  ],
  [
    'the calls of the key are used up',
    ({ answers }) => {
      answers.always = {
        status: 429,
        body: '{"error":"slow down"}',
        headers: { 'retry-after': '9' },
      }
    },
    'source: warning SOURCE_THROTTLED',
    /wait 9 s/,
    0,
  ],
  [
    'a clock that is an hour behind',
    ({ answers }) => void (answers.skewMs = 3_600_000),
    'clock: fault CLOCK_SKEW',
    /60 min behind/,
    1,
  ],
  [
    'one of two keys is refused',
    (setUp) => {
      setUp.env['SECOND_KEY'] = 'revoked'
      delete setUp.env['COINLAKE_API_KEY']
      setUp.env['FIRST_KEY'] = 'a-key'
      setUp.keyLine = 'api_keys: ["${FIRST_KEY}", "${SECOND_KEY}"]'
    },
    'source 2/2: fault SOURCE_AUTH',
    /401/,
    4,
  ],
  [
    'the month of the key is used up',
    (setUp) => void (setUp.keyLine += ', monthly_calls: 2'),
    'month: fault MONTH_USED_UP',
    /2 calls made of 2.*source\.api_keys/s,
    3,
  ],
  [
    'no Temporal where TEMPORAL_ADDRESS says',
    async ({ env }) => void (env['TEMPORAL_ADDRESS'] = `127.0.0.1:${await freePort()}`),
    'temporal: fault TEMPORAL_UNREACHABLE',
    /TEMPORAL_ADDRESS/,
    1,
  ],
  [
    'a namespace that there is not',
    ({ env }) => void (env['TEMPORAL_NAMESPACE'] = 'prod'),
    'temporal: fault TEMPORAL_NO_NAMESPACE',
    /temporal operator namespace create prod/,
    1,
  ],
  [
    'a server binary that is none',
    ({ env, dir }) => {
      const binary = join(dir, 'temporal')
      writeFileSync(binary, '#!/bin/sh\necho nothing\n')
      chmodSync(binary, 0o755)
      delete env['TEMPORAL_ADDRESS']
      env['COINLAKE_TEMPORAL_BINARY'] = binary
      // A server of the user's would do without the binary.
      env['COINLAKE_ENGINE_DIR'] = join(dir, 'engine')
    },
    'temporal: fault TEMPORAL_BINARY_UNUSABLE',
    /Temporal CLI/,
    1,
  ],
  [
    'a file where the warehouse should be',
    ({ paths }) => writeFileSync(paths.root, 'notes'),
    'config: fault WAREHOUSE_IS_FILE',
    /is a file, not a warehouse/,
    2,
  ],
  [
    'a run that was broken off',
    ({ paths }) => {
      mkdirSync(paths.runsDir, { recursive: true })
      const begun = { runId: 'r-1', goOnWith: 'coinlake backfill --coins bitcoin' }
      writeFileSync(join(paths.stateDir, 'begun-run.json'), JSON.stringify(begun))
    },
    'warehouse: warning RUN_BROKEN_OFF',
    /Go on with: coinlake backfill --coins bitcoin|go on with: coinlake backfill --coins bitcoin/i,
    0,
  ],
  [
    'a store that another program has open',
    async ({ paths }) => {
      await makeStore(paths)
      await holdFile(paths.storeFile)
    },
    'store: fault STORE_LOCKED',
    /held by process \d+/,
    6,
  ],
  [
    'a store that is gone',
    ({ paths }) => {
      mkdirSync(join(paths.stageDir, 'pages', 'a0'), { recursive: true })
      writeFileSync(join(paths.stageDir, 'pages', 'a0', `a0${'1'.repeat(18)}-g0-s0p1.page`), '')
    },
    'store: fault STORE_GONE',
    /stage\/pages[\s\S]*coinlake restore.*without a call/,
    5,
  ],
]

test.for(BROKEN)('%s: named first, with what to do', async ([, breakIt, told, says, exitCode]) => {
  const { json, text } = await doctorOn(breakIt)
  const findings = JSON.parse(json.stdout) as Finding[]
  const [first] = findings.filter(({ verdict }) => verdict === 'fault' || verdict === 'warning')
  expect(`${first?.about}: ${first?.verdict} ${first?.code}`).toBe(told)
  expect(`${first?.what}\n${first?.hint}`).toMatch(says)
  expect(first?.hint).not.toBe('')
  expect(text.stdout).toContain(`[${first?.code}]`)
  expect(text.stdout).toMatch(says)
  expect([json.exitCode, text.exitCode]).toEqual([exitCode, exitCode])
  expect(json.stderr + text.stderr).toBe('')
})

test.for<Partial<PlainAnswers>>([
  {},
  { ping: '{"gecko_says":"(V3) To the Moon!"}' },
  { hasCurrencies: false },
])(
  'a set-up in order, whose service answers %j: every look says so, two calls, nothing is made',
  async (answered) => {
    const { json, text, calls } = await doctorOn(({ answers }) => {
      Object.assign(answers, answered)
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
  breakIt: Broken[1],
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
