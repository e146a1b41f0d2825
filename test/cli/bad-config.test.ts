import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { expectBareRefusal, treeState } from './refusal.ts'
import { runCaptured } from '../parts/run-captured.ts'
import { tempDir } from '../parts/temp-dir.ts'

const SOURCE = 'source: { base_url: "http://127.0.0.1:9", api_key: "${COINLAKE_API_KEY}" }\n'
const CHARTS = `${SOURCE}datasets:\n  market_chart: { coins: [bitcoin] }\n  ohlc: { coins: [bitcoin] }\n`

test.each([['backfill'], ['backfill', '--json'], ['worker']])(
  'no key: coinlake %s %s',
  async (...argv) => {
    const cwd = tempDir()
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
