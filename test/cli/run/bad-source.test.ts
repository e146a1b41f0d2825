import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { RunReport } from '../../../activities/run-report.ts'
import { openMarketFolder } from '../../parts/market-lake.ts'
import { expectRefusal, type Refusal, treeState } from '../refusal.ts'
import { listen } from '../../parts/listen.ts'

const chart = (keys: string): string => `market_chart: { ${keys}, from: 2024-03-20 }`
const CHART = chart('coins: [bitcoin]')
/** A run tells its steps and its table first; the error comes last, where a terminal shows it. */
const STEPS = /^connecting to Temporal[^]*\nfailed: 0 rows/
/** The ledger knows that there was a run; what readers have and what was staged stays as it was. */
const LEDGER = /^warehouse\/(state|stage\/lost)\b/
const { service: market, folder } = await openMarketFolder(
  { coins: 3, latencyMs: 0 },
  () => ({ env: { COINLAKE_API_KEY: 'a-key' } }),
  afterAll,
)

beforeAll(async () => {
  configure(market.url, './warehouse', [CHART])
  expect(await folder.run('backfill', '--json')).toMatchObject({ exitCode: 0, stderr: '' })
})

/** Writes coinlake.yaml: a source that must answer within 5 s. */
function configure(sourceUrl: string, warehouse: string, datasets: readonly string[]): void {
  const source = [`base_url: "${sourceUrl}"`, 'api_key: "${COINLAKE_API_KEY}"', 'timeout: 5s']
  folder.configure({ source, warehouse, datasets })
}

/** The same mistake, told to people and told to programs. */
async function expectStopped(refusal: Refusal): Promise<void> {
  const before = treeState(folder.dir, LEDGER)
  const told = await folder.run('backfill')
  expect(told.stdout).toBe('')
  expectRefusal(told, refusal, STEPS)

  const { exitCode, stdout, stderr } = await folder.run('backfill', '--json')
  expect({ exitCode, stderr }).toEqual({ exitCode: refusal.exit, stderr: '' })
  const { fatal, verdict, publications } = JSON.parse(stdout) as RunReport
  expect({ verdict, publications }).toEqual({ verdict: 'failed', publications: [] })
  expect(fatal).toMatchObject({ code: refusal.code, exitCode: refusal.exit })
  expect(fatal?.reason).toMatch(refusal.says)
  expect(fatal?.hint).toMatch(refusal.hint)
  expect(treeState(folder.dir, LEDGER)).toEqual(before)
}

test('a wrong key', async () => {
  const url = await listen((_, response) => {
    response.writeHead(401, { 'content-type': 'application/json' })
    response.end('{"error":"invalid API key: provide a valid key"}')
  })
  configure(url, './warehouse', [CHART.replace('03-20', '03-10')])
  const says = new RegExp(`HTTP 401: invalid API key.*GET ${url}/v2/`)
  await expectStopped({ exit: 4, code: 'SOURCE_AUTH', says, hint: 'Set source.api_key' })
})

test('an address at which something else answers', async () => {
  const url = await listen((_, response) => {
    response.writeHead(404, { 'content-type': 'text/html' })
    response.end('<html><title>Not here</title></html>')
  })
  configure(url, './warehouse', [CHART.replace('03-20', '03-10')])
  const says = `no /v2 market-data service answers at ${url}`
  await expectStopped({ exit: 4, code: 'SOURCE_NOT_A_SERVICE', says, hint: 'source.base_url' })
})

test('an address at which nothing answers', async () => {
  // A free port could be taken by another test meanwhile; nobody listens on this one.
  const url = 'http://127.0.0.1:9'
  configure(url, './warehouse', [CHART.replace('03-20', '03-10')])
  const monthUse = async (): Promise<number[]> => {
    const { months } = JSON.parse((await folder.run('status', '--json')).stdout) as {
      months: { used: number }[]
    }
    return months.map(({ used }) => used)
  }
  const before = await monthUse()
  const says = new RegExp(`ECONNREFUSED.*GET ${url}/v2/`)
  await expectStopped({ exit: 4, code: 'SOURCE_UNREACHABLE', says, hint: 'source.base_url' })
  // A request that was never sent is no call of the month.
  expect(await monthUse()).toEqual(before)
})

test('a currency that the source does not know: told with its place, and its sibling is published', async () => {
  configure(market.url, './currencies', [chart('coins: [bitcoin], vs_currencies: [usd, uds]')])
  const told = await folder.run('backfill')
  expect(told.stdout).toBe('')
  const refusal = {
    exit: 3,
    code: 'SOURCE_BAD_REQUEST',
    says: /market_chart bitcoin uds 1d .*vs_currency.*"uds"/,
    hint: 'Check the ids, currencies',
  }
  expectRefusal(told, refusal, /^connecting to Temporal[^]*\npartial: \d+ rows/)
  const states = await folder.run(
    'query',
    'select distinct vs_currency, state from _slices order by 1',
  )
  expect(states.stdout).toBe('vs_currency,state\nuds,failed\nusd,provisional\n')
  expect(treeState(join(folder.dir, 'currencies', 'parquet'))).toHaveProperty('market_chart')
})
