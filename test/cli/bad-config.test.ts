import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { expectBareRefusal, treeState } from './refusal.ts'
import type { Refusal } from './refusal.ts'
import { runCaptured } from '../parts/run-captured.ts'
import { tempDir } from '../parts/temp-dir.ts'

const SOURCE = 'source: { base_url: "http://127.0.0.1:9", api_key: "${COINLAKE_API_KEY}" }\n'
const KEY = { COINLAKE_API_KEY: 'a-key' }
let cwd: string

beforeEach(async () => {
  cwd = tempDir()
})

const chart = (keys: string): string => `${SOURCE}datasets:\n  market_chart: { ${keys} }\n`
const CHARTS = `${SOURCE}datasets:\n  market_chart: { coins: [bitcoin] }\n  ohlc: { coins: [bitcoin] }\n`

const MISTAKES: [what: string, file: string, flags: string[], Omit<Refusal, 'exit'>][] = [
  [
    'an unknown key',
    chart('coins: [bitcoin], form: 2024-01-01'),
    [],
    { code: 'CONFIG_UNKNOWN_KEY', says: 'coinlake.yaml:3:37: ', hint: 'Did you mean `from`?' },
  ],
  [
    'a date that no calendar has',
    chart('coins: [bitcoin], from: 2024-02-30'),
    [],
    { code: 'CONFIG_BAD_DATE', says: /coinlake\.yaml:3:43: .*"2024-02-30"/, hint: '2024-01-31' },
  ],
  [
    'a bad date as a flag over two datasets',
    CHARTS,
    ['--from', 'yesterday'],
    { code: 'CONFIG_BAD_DATE', says: /flag --from: .*"yesterday"/, hint: '2024-01-31' },
  ],
  [
    'from after to',
    chart('coins: [bitcoin], from: 2024-03-01, to: 2024-02-01'),
    [],
    { code: 'CONFIG_RANGE', says: /:3:43: .*2024-03-01 is not before .*:3:59/, hint: '`to`' },
  ],
  [
    'from after to, as flags over two datasets',
    CHARTS,
    ['--from', '2024-03-01', '--to', '2024-02-01'],
    { code: 'CONFIG_RANGE', says: /flag --from: .*flag --to/, hint: '`to` is not included' },
  ],
  [
    'an unknown dataset',
    `${SOURCE}datasets:\n  markt_chart: {}\n`,
    [],
    { code: 'CONFIG_UNKNOWN_DATASET', says: ':3:3: ', hint: 'Did you mean `market_chart`?' },
  ],
  [
    'an unknown dataset as a flag',
    CHARTS,
    ['--dataset', 'ohcl'],
    { code: 'CONFIG_UNKNOWN_DATASET', says: 'flag --dataset', hint: 'Did you mean `ohlc`?' },
  ],
  [
    'a word that is no currency',
    chart('coins: [bitcoin], vs_currencies: [us dollar], from: 2024-01-01'),
    [],
    { code: 'CONFIG_BAD_CURRENCY', says: /:3:52: .*"us dollar"/, hint: 'usd, eur, btc' },
  ],
  [
    'a number of coins that is none',
    chart('coins: top:none, from: 2024-01-01'),
    [],
    { code: 'CONFIG_BAD_TOP', says: '"top:none"', hint: 'top:N' },
  ],
  [
    'an address that would send the key in the clear',
    CHARTS.replace('127.0.0.1:9', 'api.example'),
    ['--from', '2024-01-01'],
    { code: 'CONFIG_BAD_URL', says: 'coinlake.yaml:1:21: ', hint: 'Use https' },
  ],
  [
    'no file',
    '',
    ['-c', 'absent.yaml'],
    { code: 'CONFIG_NOT_FOUND', says: 'absent.yaml', hint: '`coinlake init`' },
  ],
]

test.each(MISTAKES)('%s: one message, exit 2, nothing made', async (_, file, flags, refusal) => {
  await writeFile(join(cwd, 'coinlake.yaml'), file)
  const before = treeState(cwd)
  for (const verb of ['backfill', 'plan'])
    for (const json of [[], ['--json']]) {
      const told = await runCaptured([verb, ...flags, ...json], { cwd, env: { ...KEY } })
      expectBareRefusal(told, { exit: 2, ...refusal })
    }
  expect(treeState(cwd)).toEqual(before)
})

test.each([['backfill'], ['backfill', '--json'], ['worker']])(
  'no key: coinlake %s %s',
  async (...argv) => {
    await writeFile(join(cwd, 'coinlake.yaml'), CHARTS)
    const before = treeState(cwd)
    const flags = argv[0] === 'worker' ? [] : ['--from', '2024-01-01']
    expectBareRefusal(await runCaptured([...argv, ...flags], { cwd }), {
      exit: 2,
      code: 'CONFIG_NO_KEY',
      says: /env COINLAKE_API_KEY is not set \(coinlake\.yaml:1\)/,
      hint: 'Set COINLAKE_API_KEY',
    })
    expect(treeState(cwd)).toEqual(before)
  },
)
