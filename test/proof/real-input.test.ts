import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { checkService } from '../../api/check-service.ts'
import { createSourceClient } from '../../api/client.ts'
import { createPacer } from '../../api/pacer.ts'
import { frozenClock, systemClock } from '../../config/clock.ts'
import type { Clock } from '../../config/clock.ts'
import { profiles } from '../../config/profiles.ts'
import { createRecordingsSource } from '../../service/recordings-source.ts'
import { openWarehouse, PROOF_TIMEOUT_MS, serve, tempDir } from './harness.ts'
import type { Warehouse } from './harness.ts'
import { publishedTables } from './published-tables.ts'
import { recordedBody } from './recorded-body.ts'
import type { RecordedBody } from './recorded-body.ts'
import { datasetLines, packRuns, writeRecordings } from './recorded-run.ts'
import type { PlacedBody } from './recorded-run.ts'
import { canonicalBody, servedAgain } from './served-again.ts'
import { VARIATIONS } from './variations.ts'

const LONG = { timeout: PROOF_TIMEOUT_MS }
const SAMPLES = fileURLToPath(new URL('../../../shared/samples/', import.meta.url))
const variationsDir = mkdtempSync(join(tmpdir(), 'coinlake-variations-'))
for (const [name, text] of Object.entries(VARIATIONS))
  writeFileSync(join(variationsDir, name), text)

const recordings = bodiesIn(SAMPLES)
const variations = bodiesIn(variationsDir)
const compared = { values: 0, bodies: 0 }

afterAll(() => {
  rmSync(variationsDir, { recursive: true, force: true })
  console.log(`compared ${compared.values} values of ${compared.bodies} recordings and variations`)
})

function bodiesIn(dir: string): RecordedBody[] {
  if (!existsSync(dir)) return []
  return readdirSync(dir)
    .sort()
    .flatMap((name) => recordedBody(join(dir, name)) ?? [])
}

const pings = existsSync(SAMPLES)
  ? readdirSync(SAMPLES).filter((name) => name.startsWith('ping--'))
  : []

test.each(pings)('%s is known as the service of its profile, and of no other', async (name) => {
  const { url } = await serve(createRecordingsSource(join(SAMPLES, name)))
  const client = createSourceClient({
    rootUrl: `${url}/v2`,
    auth: null,
    pacer: createPacer({ rate: null }),
    version: '0',
  })
  onTestFinished(() => client.close())
  await checkService(client, { pings: [profiles['coingecko-demo'].ping] })
  const asOther = checkService(client, { pings: [profiles.interface.ping] })
  await expect(asOther).rejects.toMatchObject({ code: 'SOURCE_NOT_A_SERVICE' })
})

if (recordings.length === 0) {
  console.warn(`recorded responses are not at ${SAMPLES}: only the variations are proven`)
}

/**
 * Recordings and variations served over a socket, exported by the workflow through stage and store
 * into both publications. Then every value is held against the JSON file, which DuckDB reads itself,
 * and the published warehouse, served again, answers what was recorded.
 */
test.each(
  packRuns([...recordings, ...variations]).map((run) => ({
    run,
    at: new Date(run.nowMs).toISOString(),
    count: run.bodies.length,
  })),
)('$count bodies at $at are in every table as they are in the JSON', LONG, async ({ run }) => {
  const dir = tempDir()
  writeRecordings(run, dir)
  const clock = frozenClock(run.nowMs)
  const warehouse = openWarehouse(await serve(createRecordingsSource(dir)), clock)
  const { report } = await warehouse.export(datasetLines(run))
  expect(report).toMatchObject({ verdict: 'complete', failures: [] })
  for (const dataset of report.datasets) {
    expect(dataset).toMatchObject({ quarantined: 0, duplicate: 0, unknownPaths: {} })
  }

  await expectInTables(
    warehouse,
    clock,
    run.bodies.map((body) => ({ body, observedAtMs: run.nowMs })),
  )
})

/** The whole folder served as `coinlake serve --recordings` does: each answer is dated years before the exporter. */
test.skipIf(recordings.length === 0)('the folder as it lies, exported today', LONG, async () => {
  const source = createRecordingsSource(SAMPLES)
  const warehouse = openWarehouse(await serve(source), systemClock)
  const { report } = await warehouse.export([
    'coins: {}',
    'coin_markets: {}',
    'exchanges: {}',
    'exchange_tickers: { exchanges: [binance] }',
    'exchange_rates: {}',
    'market_chart: { coins: [bitcoin], granularity: daily, from: 2013-01-01, to: 2026-06-01 }',
  ])
  expect(report).toMatchObject({ verdict: 'complete', failures: [] })
  // The first by name answers for its operation, at its own time.
  const answered = new Map(source.recordings.toReversed().map((one) => [one.operation, one]))
  const bodies = recordings.flatMap((body) => {
    const entity = body.operation.startsWith('exchanges') ? 'binance' : 'bitcoin'
    const isAsked = !/ohlc|market_chart$/.test(body.operation)
    if (!isAsked || answered.get(body.operation)?.file !== body.name) return []
    // Both listings of exchanges are one observation.
    const timed = body.operation === 'exchanges' ? 'exchanges/list' : body.operation
    const observedAtMs = answered.get(timed)!.atMs
    return [{ body: { ...body, entity, vsCurrency: 'usd' }, observedAtMs }]
  })
  expect(bodies).toHaveLength(7)
  await expectInTables(warehouse, systemClock, bodies)
})

/** Each value in both publications is that of the JSON, and served again it is the recording. */
async function expectInTables(
  { paths }: Warehouse,
  clock: Clock,
  bodies: readonly { body: PlacedBody; observedAtMs: number }[],
): Promise<void> {
  const published = await publishedTables(paths)
  const service = await servedAgain(paths, clock)
  for (const { body, observedAtMs } of bodies) {
    const { values, rows, differences } = await published.compare(body, observedAtMs)
    expect(differences, body.name).toEqual([])
    expect(rows, body.name).toBeGreaterThan(0)
    compared.values += values
    compared.bodies += 1
    const recorded = JSON.parse(readFileSync(body.path, 'utf8')) as unknown
    expect(await service.get(body), body.name).toEqual(canonicalBody(body, recorded))
  }
}
