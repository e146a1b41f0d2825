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

/** One of the file, and no file at all: test/config has every other mistake. */
const MISTAKES: [what: string, file: string, flags: string[], Omit<Refusal, 'exit'>][] = [
  [
    'an unknown key',
    chart('coins: [bitcoin], form: 2024-01-01'),
    [],
    { code: 'CONFIG_UNKNOWN_KEY', says: 'coinlake.yaml:3:37: ', hint: 'Did you mean `from`?' },
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
      expectBareRefusal(told, { exit: 2, ...refusal }, json.length > 0)
    }
  expect(treeState(cwd)).toEqual(before)
})

test.each([['backfill'], ['backfill', '--json'], ['worker']])(
  'no key: coinlake %s %s',
  async (...argv) => {
    await writeFile(join(cwd, 'coinlake.yaml'), CHARTS)
    const before = treeState(cwd)
    const flags = argv[0] === 'worker' ? [] : ['--from', '2024-01-01']
    const refusal = {
      exit: 2,
      code: 'CONFIG_NO_KEY',
      says: /env COINLAKE_API_KEY is not set \(coinlake\.yaml:1\)/,
      hint: 'Set COINLAKE_API_KEY',
    }
    const told = await runCaptured([...argv, ...flags], { cwd })
    expectBareRefusal(told, refusal, argv.includes('--json'))
    expect(treeState(cwd)).toEqual(before)
  },
)
