import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import type { RunReport } from '../../activities/run-report.ts'
import { checkService } from '../../api/check-service.ts'
import { type Clock, frozenClock } from '../../config/clock.ts'
import { profiles } from '../../config/profiles.ts'
import { createRecordingsSource } from '../../service/recordings/recordings-source.ts'
import { openWarehouse, type Warehouse } from '../parts/proof-warehouse.ts'
import { serveInTest } from '../parts/serve-source.ts'
import { tempDir } from '../parts/temp-dir.ts'
import { tableHashes } from '../parts/table-hashes.ts'
import { publishedTables } from './published-tables.ts'
import { datasetsOf, type PlacedBody } from './asked-names.ts'
import { recordedBodies } from './recorded-body.ts'
import { datasetLines, packRuns, writeRecordings } from './recorded-run.ts'
import { servedAgain } from './served-again.ts'
import { VARIATIONS, writeVariations } from './variations.ts'
import { withoutLeftOut } from './without-left-out.ts'
import { openClient } from '../parts/client-settings.ts'

const SAMPLES = fileURLToPath(new URL('../../../shared/samples/', import.meta.url))
const variationsDir = tempDir(afterAll)
writeVariations(variationsDir)

const recordings = recordedBodies(SAMPLES)
const variations = recordedBodies(variationsDir)
const compared = { values: 0, recordings: new Set<string>(), variations: new Set<string>() }

afterAll(() => {
  const { values, recordings: samples, variations: odd } = compared
  console.log(
    `${samples.size} recordings and ${odd.size} variations: ${values} values ` +
      'held against the JSON, and each body served again',
  )
})

const pings = existsSync(SAMPLES)
  ? readdirSync(SAMPLES).filter((name) => name.startsWith('ping--'))
  : []

test.each(pings)('%s is known as the service of its profile, and of no other', async (name) => {
  const { url } = await serveInTest(createRecordingsSource(join(SAMPLES, name)))
  const client = openClient(url)
  await checkService(client, { pings: [profiles['coingecko-demo'].ping] })
  const asOther = checkService(client, { pings: [profiles.interface.ping] })
  await expect(asOther).rejects.toMatchObject({ code: 'SOURCE_NOT_A_SERVICE' })
})

if (recordings.length === 0) {
  console.warn(`recorded responses are not at ${SAMPLES}: only the variations are proven`)
}

/**
 * Recordings and variations served over a socket, exported by the workflow through stage and store
 * into both publications. DuckDB then reads the JSON files itself, and every value must equal
 * the tables. The published warehouse is served again and must answer the recorded bodies.
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
  const warehouse = openWarehouse(await serveInTest(createRecordingsSource(dir)), clock)
  const { report } = await warehouse.export(datasetLines(run))
  expectNothingLost(report, run.bodies)

  await expectInTables(warehouse, clock, run.bodies)
})

/** The report of a run, which has to name undocumented keys, missing arrays, and nothing else. */
function expectNothingLost(report: RunReport, bodies: readonly PlacedBody[]): void {
  expect(report.failures).toEqual([])
  for (const { dataset, quarantined, duplicate, unknownPaths } of report.datasets) {
    const unknown: Record<string, number> = {}
    let missing = 0
    for (const body of bodies) {
      if (!datasetsOf(body).some(({ name }) => name === dataset)) continue
      missing += VARIATIONS[body.name]?.quarantined ?? 0
      for (const [path, count] of Object.entries(VARIATIONS[body.name]?.unknownPaths ?? {})) {
        unknown[path] = (unknown[path] ?? 0) + count
      }
    }
    const lost = { dataset, quarantined, duplicate, unknownPaths }
    expect(lost).toEqual({ dataset, quarantined: missing, duplicate: 0, unknownPaths: unknown })
  }
  const isWhole = bodies.every(({ name }) => VARIATIONS[name]?.quarantined === undefined)
  expect(report.verdict).toBe(isWhole ? 'complete' : 'partial')
}

/** Whether a body holds no value: null, or nothing but empty lists and objects. */
function isBlank(body: unknown): boolean {
  if (typeof body !== 'object' || body === null) return body === null
  return Object.values(body).every(isBlank)
}

/** Both publications are equal, each value is that of the JSON, and served again it is the recording. */
async function expectInTables(
  { paths }: Warehouse,
  clock: Clock,
  bodies: readonly PlacedBody[],
): Promise<void> {
  expect(await tableHashes(paths)).toEqual(await tableHashes(paths.duckdbLink))
  const published = await publishedTables(paths)
  const service = await servedAgain(paths, clock)
  for (const body of bodies) {
    const { values, rows, differences } = await published.compare(body, clock.nowMs())
    expect(differences, body.name).toEqual([])
    const recorded = JSON.parse(readFileSync(body.path, 'utf8')) as unknown
    const wanted = withoutLeftOut(body, recorded)
    if (!isBlank(wanted)) expect(rows, body.name).toBeGreaterThan(0)
    compared.values += values
    const served = withoutLeftOut(body, await service.get(body, recorded))
    expect(served, body.name).toEqual(wanted)
    const kind = body.name in VARIATIONS ? compared.variations : compared.recordings
    kind.add(body.name)
  }
}
