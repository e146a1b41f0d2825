import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { checkService } from '../../api/check-service.ts'
import { createSourceClient } from '../../api/client.ts'
import { createPacer } from '../../api/pacer.ts'
import { frozenClock } from '../../config/clock.ts'
import { profiles } from '../../config/profiles.ts'
import { createRecordingsSource } from '../../service/recordings-source.ts'
import { openWarehouse, serve, tempDir } from './harness.ts'
import { publishedTables } from './published-tables.ts'
import { recordedBody } from './recorded-body.ts'
import type { RecordedBody } from './recorded-body.ts'
import { datasetLines, packRuns, writeRecordings } from './recorded-run.ts'
import { canonicalBody, servedAgain } from './served-again.ts'
import { VARIATIONS } from './variations.ts'

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
  await checkService(client, { ping: profiles['coingecko-demo'].ping })
  const asOther = checkService(client, { ping: profiles.interface.ping })
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
)('$count bodies at $at are in every table as they are in the JSON', async ({ run }) => {
  const dir = tempDir()
  writeRecordings(run, dir)
  const clock = frozenClock(run.nowMs)
  const warehouse = openWarehouse(await serve(createRecordingsSource(dir)), clock)
  const { report } = await warehouse.export(datasetLines(run))
  expect(report).toMatchObject({ verdict: 'complete', failures: [] })
  for (const dataset of report.datasets) {
    expect(dataset).toMatchObject({ quarantined: 0, duplicate: 0, unknownPaths: {} })
  }

  const published = await publishedTables(warehouse.paths)
  const service = await servedAgain(warehouse.paths, clock)
  for (const body of run.bodies) {
    const { values, rows, differences } = await published.compare(body, run.nowMs)
    expect(differences, body.name).toEqual([])
    expect(rows, body.name).toBeGreaterThan(0)
    compared.values += values
    compared.bodies += 1
    const recorded = JSON.parse(readFileSync(body.path, 'utf8')) as unknown
    expect(await service.get(body), body.name).toEqual(canonicalBody(body, recorded))
  }
})
